package dataset

import (
	"encoding"
	"reflect"
	"strings"
	"testing"
)

func TestTextRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value encoding.TextMarshaler
		empty encoding.TextUnmarshaler
		text  string
	}{
		{Words{"on-demand", "spot"}, new(Words), "on-demand spot"},
		{Words{}, new(Words), ""},
		{Cards{{1, 4, 350}, {16, 4, 133.333}}, new(Cards), "1x4@350 16x4@133.333"},
		{PriceTable{"b.large": 0.0042, "a.large": 154.03795}, new(PriceTable), "a.large 154.03795 b.large 0.0042"},
	} {
		text, err := c.value.MarshalText()
		if err != nil || string(text) != c.text {
			t.Errorf("%v is written %q, %v; want %q", c.value, text, err, c.text)
		}
		if err := c.empty.UnmarshalText(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got := reflect.ValueOf(c.empty).Elem().Interface(); !reflect.DeepEqual(got, c.value) {
			t.Errorf("%q is read as %v, want %v", text, got, c.value)
		}
	}
}

func TestUnmarshalTextRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		into       encoding.TextUnmarshaler
		text, want string
	}{
		{new(Cards), "1x4", `network cards "1x4" are not written as in`},
		{new(Cards), "4@100", `network cards "4@100" are`},
		{new(Cards), "1x4@350 ax4@350", `network cards "ax4@350" are`},
		{new(Cards), "1xb@350", `network cards "1xb@350" are`},
		{new(Cards), "0x4@350", `network cards "0x4@350" are`},
		{new(PriceTable), "a.large 1 b.large", "3 words has a name without a price"},
		{new(PriceTable), "a.large cheap", "the price of a.large: "},
	} {
		if err := c.into.UnmarshalText([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want an error with %q", c.text, err, c.want)
		}
	}
}
