// Command body is the Lambda function behind /v1/body, /v1/more, /v1/search, /healthz and the documentation.
package main

import (
	"fmt"
	"os"

	"channelapi/functions/body/handler"
	"channelapi/shared/app"
)

func main() {
	if err := app.Start(handler.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
