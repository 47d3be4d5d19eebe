// Command preview is the Lambda function behind /v1/preview and /v1/previews.
package main

import (
	"fmt"
	"os"

	"channelapi/functions/preview/handler"
	"channelapi/shared/app"
)

func main() {
	if err := app.Start(handler.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
