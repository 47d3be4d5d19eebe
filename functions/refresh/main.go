// Command refresh is the Lambda function that renews stored answers off the request path.
package main

import (
	"fmt"
	"os"

	"channelapi/functions/refresh/handler"
	"channelapi/shared/app"
)

func main() {
	if err := app.Start(handler.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
