package picture

import (
	"fmt"
	"html"
	"strings"
)

// canvas collects the elements of a picture.
type canvas struct{ strings.Builder }

// Colors of the picture: quiet ones for places, strong ones for what trains.
const (
	ink, faint, paper  = "#1f2933", "#7b8794", "#ffffff"
	vpcFill, vpcLine   = "#f5f7fa", "#9fb3c8"
	publicFill         = "#fff8e6"
	privateFill        = "#e8f1fb"
	poolFill, poolLine = "#ffffff", "#486581"
	efaFill, enaFill   = "#2f855a", "#dd6b20"
	cardFill, chipFill = "#e4e7eb", "#6b46c1"
	storeFill          = "#f0fbf4"
)

func (c *canvas) rect(x, y, w, h int, fill, line string) {
	fmt.Fprintf(c, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="%s" stroke="%s"/>`+"\n", x, y, w, h, fill, line)
}

func (c *canvas) text(x, y, size int, color, weight, format string, args ...any) {
	fmt.Fprintf(c, `<text x="%d" y="%d" font-size="%d" fill="%s" font-weight="%s">%s</text>`+"\n",
		x, y, size, color, weight, html.EscapeString(fmt.Sprintf(format, args...)))
}

func (c *canvas) circle(x, y, r int, fill string) {
	fmt.Fprintf(c, `<circle cx="%d" cy="%d" r="%d" fill="%s"/>`+"\n", x, y, r, fill)
}

// titled starts a group whose title a browser shows when the pointer is over it.
func (c *canvas) titled(format string, args ...any) {
	fmt.Fprintf(c, "<g><title>%s</title>\n", html.EscapeString(fmt.Sprintf(format, args...)))
}

func (c *canvas) end() { c.WriteString("</g>\n") }

func (c *canvas) document(width, height int) []byte {
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">`+"\n", width, height, width, height)
	page := fmt.Sprintf(`<rect width="%d" height="%d" fill="%s"/>`+"\n", width, height, paper)
	return []byte(head + page + c.String() + "</svg>\n")
}
