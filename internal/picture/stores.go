package picture

// Measures of a store, of which two stand beside each other.
const (
	storesInRow, storeHeight = 2, 52
	storeFacts               = 3
	storeText                = 74 // characters
)

// stores draws the stores and caches below everything else. It returns where the last row ends.
func (d *drawing) stores(y int) int {
	sections := d.plan.ExplainStorage()
	width := (d.width - 2*margin - gap*(storesInRow-1)) / storesInRow
	for i, s := range sections {
		if i%storesInRow == 0 {
			y += gap
		}
		x := margin + i%storesInRow*(width+gap)
		facts := s.Brief(storeFacts)
		d.c.titled("%s: %s", s.Title, facts)
		d.c.rect(x, y, width, storeHeight, storeFill, vpcLine)
		d.c.text(x+gap, y+20, 14, ink, "600", "%s", s.Title)
		d.c.text(x+gap, y+39, 12, faint, "400", "%s", shortened(facts))
		d.c.end()
		if i%storesInRow == storesInRow-1 || i == len(sections)-1 {
			y += storeHeight
		}
	}
	return y
}

// shortened keeps a text within its box.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > storeText {
		return string(runes[:storeText-1]) + "…"
	}
	return text
}
