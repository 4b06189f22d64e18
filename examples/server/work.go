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
	maxPixels  = 25e6 // of an image that comes, and of one that goes
	pixelBytes = 4    // of an ordinary image; a progressive JPEG takes up to 16 while it is decoded
	maxWidth   = 4096
	bandRows   = 64
)

// scale is the work of making an image as wide as the query says.
func scale(query url.Values, body body) (work, error) {
	width, err := strconv.Atoi(query.Get("width"))
	if err != nil || width < 1 || width > maxWidth {
		return nil, badRequestf("width=%q: want a number from 1 to %d", query.Get("width"), maxWidth)
	}
	return func(ctx context.Context, parts parts) (reply, error) {
		size, format, err := image.DecodeConfig(body.reader())
		if err != nil {
			return reply{}, badRequestf("no image: %w", err)
		}
		height, err := heightOf(size, width)
		if err != nil {
			return reply{}, err
		}
		src, _, err := image.Decode(body.reader())
		if err != nil {
			return reply{}, badRequestf("a broken image: %w", err)
		}
		if ctx.Err() != nil {
			return reply{}, ctx.Err()
		}
		dst := image.NewRGBA(image.Rect(0, 0, width, height))
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

// heightOf returns the height of an image that is scaled to a width. It refuses what is too large
// before there is memory for it: a few bytes can claim to be a very large image, and a small one may
// be so narrow that it gets very high.
func heightOf(size image.Config, width int) (int, error) {
	if size.Width < 1 || size.Height < 1 {
		return 0, badRequestf("an image of %d x %d is empty", size.Width, size.Height)
	}
	if int64(size.Width)*int64(size.Height) > maxPixels {
		return 0, badRequestf("an image of %d x %d is too large", size.Width, size.Height)
	}
	height := max(1, int64(size.Height)*int64(width)/int64(size.Width))
	if int64(width)*height > maxPixels {
		return 0, badRequestf("an image of %d x %d would be too large", width, height)
	}
	return int(height), nil
}
