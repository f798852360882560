//! Bits of code that mean something to the front ends: tests string them together and repeat them without end.

use familiar_source::Language;

/// The pieces for `language`.
pub(crate) fn of(language: Language) -> Vec<&'static str> {
    let pieces = match language {
        Language::Python => PYTHON,
        Language::Java => JAVA,
        Language::C | Language::Cpp => C,
        Language::CSharp => CSHARP,
        Language::JavaScript | Language::TypeScript => SCRIPT,
        Language::Go => GO,
        Language::Rust => RUST,
        _ => OTHERS,
    };
    pieces.split('¦').collect()
}

const JAVA: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦<¦>¦;¦:¦,¦=¦->¦@¦a¦a.b¦f(x)¦class C¦enum E¦record R(int x)\
    ¦interface I¦@interface A¦new X()¦new int[]¦switch (x)¦switch¦case 1¦default¦if (x)¦else¦do\
    ¦while (x)¦try¦catch (E e)¦finally¦static¦void m()¦import¦package p¦\"¦\"\"\"¦'¦\\¦//¦/*¦*/¦0x1.\
    ¦é¦::";
const CSHARP: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦<¦>¦;¦:¦,¦=¦=>¦?¦a¦a.b¦f(x)¦class C¦enum E¦record R(int x)\
    ¦namespace N¦[assembly: A]¦new X()¦delegate¦switch (x)¦switch¦case 1¦default¦if (x)¦else¦do\
    ¦while (x)¦try¦catch¦when (x)¦finally¦int m<T>(T x)¦int P¦get¦this[int i]¦operator +¦~C()\
    ¦where T : new()¦using¦using A = B¦\"¦$\"¦@\"¦$@\"¦$\"{¦$$\"\"\"¦\"\"\"¦'¦\\¦//¦/*¦*/¦\n#if A\n\
    ¦\n#else\n¦\n#endif\n¦#¦0x1.¦é¦::";
const GO: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦func ¦type ¦struct ¦interface ¦if ¦else ¦for ¦range ¦switch \
    ¦select ¦case ¦map¦import ¦return¦x¦T¦:¦;¦,¦ ¦//¦/*¦*/¦\"¦'¦`¦\\¦*¦.¦<-¦1¦0x¦e+¦++¦~¦=¦{[\
    ¦func() ¦func(¦func f(¦type T[A B] ¦struct {¦if x {¦[]T{}¦for []¦`x¦a.¦a.b{¦if []a.b{}¦case x: {";
const PYTHON: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦def ¦class ¦async ¦if ¦else¦match ¦case ¦lambda ¦import ¦from \
    ¦x¦:¦;¦\r\n¦\n    ¦\n\t¦\n  ¦ ¦\\\n¦#¦\"¦'¦\"\"\"¦'''¦f'¦f\"¦{x¦!r:¦\\¦@¦1¦=¦\u{c}¦{[¦f\"{¦f'''{\
    ¦f'{x:¦rf'{\"¦\"\"\"x¦if x:\n¦from a import ¦a.¦#\n";
const C: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦<¦>¦;¦:¦::¦,¦=¦~¦->¦#if A\n¦#else\n¦#endif\n¦#define X \\\n\
    ¦ int ¦ f¦ g¦class ¦template¦operator¦requires¦struct ¦namespace ¦enum ¦try¦catch¦if¦do ¦while\
    ¦case ¦R\"x(¦)x\"¦\"¦'¦/*¦*/¦//¦\\¦extern \"C\"¦CAPS(x)¦\0\u{e9}¦[](¦template<¦requires \
    ¦struct a{¦f(a)int a;¦M(x)\n¦R\"(¦#if A\n{\n¦#if A\n#else\n¦x{1},¦class A:¦do if(¦a<¦f(){\
    ¦import ¦using ¦module ¦export ¦class{{}¦namespace{{}}}¦namespace{}¦catch(a){¦#include <¦else ¦while(a);¦static ¦A::~A()¦return f(a)*a;{};¦(a,b)*b;";
const SCRIPT: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦`¦${¦<¦>¦=>¦/¦'¦\"¦:¦?¦;¦class ¦function ¦<div>¦</div>¦`${¦<a>\
    ¦<a ¦x=>¦a<¦/[¦=/[¦(a):¦<T>(¦=<T>¦a?(b):¦function(¦</¦<!--¦/*/¦?(a):b<¦{a:¦\u{0}\\\
    ¦@¦.¦?.¦=>@¦#a¦!¦++¦=¦import ¦export ¦async ¦get ¦enum A{¦namespace A{¦interface A{¦declare ¦abstract \
    ¦case ¦switch(a){¦if(¦else ¦do ¦for(¦while(¦await ¦of ¦new ¦return¦throw ¦extends ¦as ¦satisfies ¦static ";
const RUST: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦fn a(¦fn a<¦impl ¦if {¦match ¦/*¦'¦r#\"¦\"¦r#¦b'¦|¦use a::{¦\\\
    ¦fn a() { if let X {¦impl [] ¦union a <¦unsafe fn a ¦struct a(¦a::¦fn a() {¦struct A {\
    ¦impl A for B {¦mod a {¦where ¦-> ¦=> ¦a!{¦#[a]¦let x = ¦else {¦; ¦*/¦//¦\u{e9}¦pub(crate) \
    ¦unsafe ¦macro_rules! a {\
    ¦struct n¦(); ¦fn r(){¦if a {¦while ¦for a in ¦async ¦extern \"C\" ¦enum A {¦trait A {¦loop {¦.b";
const OTHERS: &str = "(¦[¦{¦)¦]¦}¦\n¦\r¦\0¦\u{feff}¦a ¦def a\n¦end\n¦class A¦fun a()¦func a()¦function a()¦ = ¦=> ¦-> \
    ¦if a {¦case ¦do |a|¦<?php ¦?>¦<<A\n¦A\n¦<<~A\n¦%w(¦#{¦\"${¦\\(¦/*¦*/¦//¦#¦--¦\"¦\"\"\"¦'¦`¦\\\
    ¦\t¦1¦\u{e9}¦<script>¦</script>¦<style¦<!--¦-->¦object A {¦val a by ¦a ? ¦fn a(¦((a) ";
