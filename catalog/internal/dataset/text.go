package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Words is a list of words, stored as one string with blanks between them.
type Words []string

// MarshalText joins the words.
func (w Words) MarshalText() ([]byte, error) { return []byte(strings.Join(w, " ")), nil }

// UnmarshalText splits text into words.
func (w *Words) UnmarshalText(text []byte) error {
	*w = strings.Fields(string(text))
	return nil
}

// Cards are network cards, equal neighbours counted together. They are stored as "COUNTxINTERFACES@GBPS" with blanks
// between: "1x4@350 16x4@400" is one card with four interfaces and 350 Gb/s, then 16 with four and 400.
type Cards []CardGroup

// CardGroup is a run of equal network cards.
type CardGroup struct {
	Count      int
	Interfaces int
	Gbps       float64
}

// MarshalText writes the groups.
func (c Cards) MarshalText() ([]byte, error) {
	var text []byte
	for i, g := range c {
		if i > 0 {
			text = append(text, ' ')
		}
		text = fmt.Appendf(text, "%dx%d@%s", g.Count, g.Interfaces, number(g.Gbps))
	}
	return text, nil
}

// UnmarshalText reads groups.
func (c *Cards) UnmarshalText(text []byte) error {
	*c = nil
	for field := range strings.FieldsSeq(string(text)) {
		count, rest, _ := strings.Cut(field, "x")
		interfaces, gbps, _ := strings.Cut(rest, "@")
		var g CardGroup
		var errs [3]error
		g.Count, errs[0] = strconv.Atoi(count)
		g.Interfaces, errs[1] = strconv.Atoi(interfaces)
		g.Gbps, errs[2] = strconv.ParseFloat(gbps, 64)
		if err := cmp.Or(errs[:]...); err != nil || g.Count < 1 {
			return fmt.Errorf(`network cards %q are not written as in "1x4@350": count, interfaces each, Gb/s each`, field)
		}
		*c = append(*c, g)
	}
	return nil
}

// PriceTable is prices by name, stored as "NAME PRICE" pairs with blanks between.
type PriceTable map[string]float64

// MarshalText writes the pairs in the order of the names.
func (p PriceTable) MarshalText() ([]byte, error) {
	var words Words
	for _, name := range slices.Sorted(maps.Keys(p)) {
		words = append(words, name, number(p[name]))
	}
	return words.MarshalText()
}

// UnmarshalText reads pairs.
func (p *PriceTable) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	if len(words)%2 != 0 {
		return fmt.Errorf("a price table of %d words has a name without a price", len(words))
	}
	*p = make(PriceTable, len(words)/2)
	for i := 0; i < len(words); i += 2 {
		price, err := strconv.ParseFloat(words[i+1], 64)
		if err != nil {
			return fmt.Errorf("the price of %s: %w", words[i], err)
		}
		(*p)[words[i]] = price
	}
	return nil
}

// number writes f in full, without an exponent.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
