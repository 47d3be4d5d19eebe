// Command feed is the Lambda function behind /v1/feed.
package main

import (
	"fmt"
	"os"

	"channelapi/functions/feed/handler"
	"channelapi/shared/app"
)

func main() {
	if err := app.Start(handler.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
