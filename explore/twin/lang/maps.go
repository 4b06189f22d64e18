package lang

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Map is the range of a map. In an execution its keys come in order, if they are of
// types that have one: else the execution would depend on chance.
type Map[K comparable, V any] struct {
	m      map[K]V
	name   string
	keys   []K
	values []V
	i      int
	K      K
	V      V
}

// RangeMap begins for range m.
func RangeMap[M ~map[K]V, K comparable, V any](m M, name string) *Map[K, V] {
	ReadMap(m, name)
	r := &Map[K, V]{m: m, name: name}
	for k := range m {
		r.keys = append(r.keys, k)
	}
	if drive.Driven() && ordered(reflect.TypeFor[K]()) {
		slices.SortFunc(r.keys, func(a, b K) int { return compare(reflect.ValueOf(a), reflect.ValueOf(b)) })
	}
	for _, k := range r.keys {
		if k != k { // NaN, which is not found again
			r.values = make([]V, 0, len(m))
			r.keys = r.keys[:0]
			for k, v := range m {
				r.keys, r.values = append(r.keys, k), append(r.values, v)
			}
			break
		}
	}
	return r
}

// RangeMapK begins for k := range m, and declares k.
func RangeMapK[M ~map[K]V, K comparable, V any](m M, name string) (*Map[K, V], K) {
	return RangeMap(m, name), *new(K)
}

// RangeMapV begins for _, v := range m.
func RangeMapV[M ~map[K]V, K comparable, V any](m M, name string) (*Map[K, V], V) {
	return RangeMap(m, name), *new(V)
}

// RangeMapKV begins for k, v := range m.
func RangeMapKV[M ~map[K]V, K comparable, V any](m M, name string) (*Map[K, V], K, V) {
	return RangeMap(m, name), *new(K), *new(V)
}

// More goes to the next key that is still there, and reports whether there is one.
func (r *Map[K, V]) More() bool {
	ReadMap(r.m, r.name)
	for r.i < len(r.keys) {
		i := r.i
		r.i++
		r.K = r.keys[i]
		if v, ok := r.m[r.K]; ok {
			r.V = v
			return true
		} else if r.K != r.K && len(r.m) > 0 {
			r.V = r.values[i]
			return true
		}
	}
	return false
}

// NextK is More for k := range m.
func (r *Map[K, V]) NextK(k *K) bool {
	ok := r.More()
	if ok {
		*k = r.K
	}
	return ok
}

// NextV is More for _, v := range m.
func (r *Map[K, V]) NextV(v *V) bool {
	ok := r.More()
	if ok {
		*v = r.V
	}
	return ok
}

// NextKV is More for k, v := range m.
func (r *Map[K, V]) NextKV(k *K, v *V) bool {
	ok := r.More()
	if ok {
		*k, *v = r.K, r.V
	}
	return ok
}

// ordered reports whether compare can compare values of the type.
func ordered(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return ordered(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !ordered(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return false
	}
	return t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}

func compare(a, b reflect.Value) int {
	switch k := a.Kind(); {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case k == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case k == reflect.Bool && a.Bool() != b.Bool():
		if a.Bool() {
			return 1
		}
		return -1
	case k == reflect.Array:
		for i := range a.Len() {
			if c := compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case k == reflect.Struct:
		for i := range a.NumField() {
			if c := compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}
