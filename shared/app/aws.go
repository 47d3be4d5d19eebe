package app

import (
	"github.com/aws/aws-sdk-go-v2/aws"

	"channelapi/shared/awsapi"
	"channelapi/shared/config"
)

// newAWS gives the client of AWS with the credentials that the Lambda runtime sets.
func newAWS(env config.AWS) *awsapi.Client {
	return awsapi.New(awsapi.Options{
		Region: env.Region, Endpoint: env.EndpointURL,
		Credentials: aws.Credentials{
			AccessKeyID: env.AccessKeyID, SecretAccessKey: env.SecretAccessKey.Reveal(),
			SessionToken: env.SessionToken.Reveal(), Source: "environment",
		},
	})
}
