package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What tests of well-known benchmarks use of a package that is not part of the standard library.
type familiarAssert struct{}

var assert familiarAssert

func (familiarAssert) New(t *testing.T) familiarAssert { return assert }
func (familiarAssert) Equal(expected, actual interface{}, words ...interface{}) bool {
	if !reflect.DeepEqual(expected, actual) {
		panic("not equal")
	}
	return true
}
func (familiarAssert) True(holds bool, words ...interface{}) bool { return assert.Equal(true, holds) }
func (familiarAssert) False(holds bool, words ...interface{}) bool { return assert.Equal(false, holds) }

var familiarPlace = regexp.MustCompile(`0x[0-9a-f]{6,}`)

func familiarPack(values ...interface{}) []interface{} { return values }

func familiarShown(values ...interface{}) string {
	var all strings.Builder
	for _, value := range values {
		fmt.Fprintf(&all, "%#v ", value)
	}
	return familiarPlace.ReplaceAllString(all.String(), "")
}

func familiarSay(line interface{}) {
	text, _ := json.Marshal(line)
	os.Stdout.Sync()
	fmt.Fprintf(os.Stderr, "\n@MARK@%s\n", text)
}

func familiarCall(call func() string) {
	defer func() {
		if raised := recover(); raised != nil {
			class := strings.Split(fmt.Sprintf("%T: %v", raised, raised), " [")[0]
			familiarSay(map[string]interface{}{"called": map[string]string{"raised": class}})
		}
	}()
	result := call()
	familiarSay(map[string]interface{}{"called": map[string]string{"returned": result}})
}

// A value in the JSON form that all languages share.
func familiarCommon(value reflect.Value, depth int) interface{} {
	if !value.IsValid() || depth > 50 {
		return nil
	}
	switch value.Kind() {
	case reflect.Bool:
		return value.Bool()
	case reflect.Int32:
		if value.Type().Name() == "int32" && familiarRunes {
			return string(rune(value.Int()))
		}
		return value.Int()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int64:
		if number := value.Int(); number >= 1<<53 || number <= -1<<53 {
			return map[string]interface{}{"int": strings.Replace(fmt.Sprintf("%#x", number), "0x-", "-0x", 1)}
		}
		return value.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if value.Uint() >= 1<<53 {
			return map[string]interface{}{"int": fmt.Sprintf("%#x", value.Uint())}
		}
		return value.Uint()
	case reflect.Float32, reflect.Float64:
		text := fmt.Sprint(value.Interface())
		if text == "NaN" || text == "+Inf" || text == "-Inf" {
			return map[string]interface{}{"real": text}
		}
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return json.RawMessage(text)
	case reflect.String:
		return value.String()
	case reflect.Slice, reflect.Array:
		all := []interface{}{}
		for i := 0; i < value.Len(); i++ {
			all = append(all, familiarCommon(value.Index(i), depth+1))
		}
		return all
	case reflect.Map:
		all := []interface{}{}
		for each := value.MapRange(); each.Next(); {
			all = append(all, []interface{}{familiarCommon(each.Key(), depth+1), familiarCommon(each.Value(), depth+1)})
		}
		return map[string]interface{}{"map": all}
	case reflect.Ptr, reflect.Interface:
		if failure, fails := value.Interface().(error); fails && failure != nil {
			return map[string]interface{}{"object": "error", "fields": map[string]interface{}{}}
		}
		return familiarCommon(value.Elem(), depth+1)
	case reflect.Struct:
		fields := map[string]interface{}{}
		for i := 0; i < value.NumField(); i++ {
			fields[value.Type().Field(i).Name] = familiarCommon(value.Field(i), depth+10)
		}
		return map[string]interface{}{"object": value.Type().Name(), "fields": fields}
	}
	return map[string]interface{}{"other": value.Kind().String()}
}

var familiarRunes bool
var familiarHits = map[int]bool{}

func familiarHit(place int) { familiarHits[place] = true }

func familiarEach(values []interface{}) []interface{} {
	all := []interface{}{}
	for _, value := range values {
		all = append(all, familiarCommon(reflect.ValueOf(value), 0))
	}
	return all
}

func familiarValue(patience int, call func() ([]interface{}, []interface{})) {
	before, said := os.Stdout, make(chan map[string]string, 1)
	file, _ := os.Create("familiar.printed")
	os.Stdout = file
	go func() {
		defer func() {
			if raised := recover(); raised != nil {
				said <- map[string]string{"raised": strings.Split(fmt.Sprintf("%T: %v", raised, raised), " [")[0]}
			}
		}()
		results, arguments := call()
		all := familiarEach(results)
		var value interface{} = all
		if len(all) == 1 {
			value = all[0]
		} else if len(all) == 0 {
			value = nil
		}
		printed, _ := os.ReadFile("familiar.printed")
		text, _ := json.Marshal(map[string]interface{}{"value": value, "after": familiarEach(arguments), "printed": string(printed)})
		said <- map[string]string{"returned": string(text)}
	}()
	var line map[string]string
	select {
	case line = <-said:
	case <-time.After(time.Duration(patience) * time.Millisecond):
		line = map[string]string{"raised": "familiar.TooLong"}
	}
	os.Stdout = before
	familiarSay(map[string]interface{}{"called": line})
}

func main() {
	@START@
	familiarSay(map[string]string{"end": "finished"})
}
