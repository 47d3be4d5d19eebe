// Command graphql is the Lambda function behind /graphql.
package main

import (
	"fmt"
	"os"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app"
)

func main() {
	if err := app.Start(handler.New); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
