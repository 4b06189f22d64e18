package pool

import (
	"reflect"
	"testing"
)

// line is how many bytes a cache line has on most processors. Where it has 128, or
// is fetched in pairs, half of what is promised here still holds.
const line = 64

// apart checks that a field shares no cache line with any other one, wherever the
// struct begins. Fields without a name are room.
func apart(t *testing.T, of reflect.Type, name string) {
	t.Helper()
	own, ok := of.FieldByName(name)
	if !ok {
		t.Fatalf("%v has no field %s", of, name)
	}
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Name == "_" || f.Name == name {
			continue
		}
		before := int(own.Offset) - int(f.Offset+f.Type.Size()-1)
		after := int(f.Offset) - int(own.Offset+own.Type.Size()-1)
		if before < line && after < line {
			t.Errorf("%v: %s, at %d to %d, may share a cache line with %s, at %d to %d", of,
				name, own.Offset, own.Offset+own.Type.Size()-1, f.Name, f.Offset, f.Offset+f.Type.Size()-1)
		}
	}
	if end := int(of.Size() - own.Offset - own.Type.Size()); end < line-int(own.Type.Size()) {
		t.Errorf("%v: %s may share a cache line with what lies behind the struct", of, name)
	}
}

// If this fails, a fork of one worker slows down all who look at its flag: what
// others read lies on a line that the fork writes.
func TestLayout(t *testing.T) {
	apart(t, reflect.TypeFor[Worker](), "wanted")
	apart(t, reflect.TypeFor[seat](), "stats")
}
