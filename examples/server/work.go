package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/url"
	"strconv"

	"golang.org/x/image/draw"
)

// A reply is the body of an answer, and its type.
type reply struct {
	contentType string
	body        []byte
}

// A work is what one request asks for. It may have parts that run at once.
type work func(ctx context.Context, parts parts) (reply, error)

// parts calls f(0) to f(n-1), possibly at the same time, and returns when all have
// ended.
type parts func(n int, f func(i int))

// A badRequest is the client's own fault.
type badRequest struct{ error }

func badRequestf(format string, args ...any) error { return badRequest{fmt.Errorf(format, args...)} }

const (
	maxPixels = 50e6
	maxWidth  = 4096
	bandRows  = 64
)

// scale is the work of making an image as wide as the query says.
func scale(query url.Values, body []byte) (work, error) {
	width, err := strconv.Atoi(query.Get("width"))
	if err != nil || width < 1 || width > maxWidth {
		return nil, badRequestf("width=%q: want a number from 1 to %d", query.Get("width"), maxWidth)
	}
	return func(ctx context.Context, parts parts) (reply, error) {
		// A few bytes can claim to be a very large image.
		size, format, err := image.DecodeConfig(bytes.NewReader(body))
		if err != nil {
			return reply{}, badRequestf("no image: %w", err)
		}
		if float64(size.Width)*float64(size.Height) > maxPixels {
			return reply{}, badRequestf("an image of %d x %d is too large", size.Width, size.Height)
		}
		src, _, err := image.Decode(bytes.NewReader(body))
		if err != nil {
			return reply{}, badRequestf("a broken image: %w", err)
		}
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		dst := image.NewRGBA(image.Rect(0, 0, width, max(1, size.Height*width/size.Width)))
		parts((dst.Rect.Dy()+bandRows-1)/bandRows, func(i int) {
			band := image.Rect(0, i*bandRows, width, (i+1)*bandRows)
			draw.ApproxBiLinear.Scale(dst.SubImage(band).(*image.RGBA), dst.Rect, src, src.Bounds(), draw.Src, nil)
		})
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		var out bytes.Buffer
		if format == "jpeg" {
			err = jpeg.Encode(&out, dst, nil)
		} else {
			err = png.Encode(&out, dst)
		}
		return reply{"image/" + format, out.Bytes()}, err
	}, nil
}
