// Command post is the Lambda function behind /v1/post and /v1/media.
package main

import (
	"fmt"
	"os"

	"channelapi/functions/post/handler"
	"channelapi/shared/app"
)

func main() {
	if err := app.Start(handler.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
