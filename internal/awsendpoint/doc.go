// Package awsendpoint knows the AWS services that a VPC can reach without a way out, through endpoints.
//
// Services have short names, those of a blueprint's private_endpoints: "ecr" is two services of AWS. The package needs
// nothing but the standard library, because blueprints are judged by it and networks are built by it, and the two must
// agree.
package awsendpoint
