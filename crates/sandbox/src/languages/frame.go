package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
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

func main() {
	@START@
	familiarSay(map[string]string{"end": "finished"})
}
