package azure

import (
	"regexp"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	groupToken      = "azure-native:resources:ResourceGroup"
	identityToken   = "azure-native:managedidentity:UserAssignedIdentity"
	assignmentToken = "azure-native:authorization:RoleAssignment"
)

// groupArgs are the arguments of a resource group. Source: Azure Resource Manager API, Resource Groups.
type groupArgs struct {
	Location          *string           `pulumi:"location"`
	ManagedBy         *string           `pulumi:"managedBy"`
	ResourceGroupName *string           `pulumi:"resourceGroupName"`
	Tags              map[string]string `pulumi:"tags"`
}

type groupState struct {
	Location  *string           `pulumi:"location"`
	ManagedBy *string           `pulumi:"managedBy"`
	Name      string            `pulumi:"name"`
	Tags      map[string]string `pulumi:"tags"`
	Type      string            `pulumi:"type"`
}

func resourceGroup() *engine.Resource {
	const source = "Azure Resource Manager, \"Naming rules and restrictions for Azure resources\""
	return &engine.Resource{
		Token: groupToken, Args: groupArgs{}, State: groupState{},
		Replace: []string{"resourceGroupName", "location"},
		Plan:    []engine.Rule{shape("resourceGroupName", "has up to 90 letters, digits, _ - . and brackets", source, regexp.MustCompile(`^[-\w._()]{0,89}[-\w_()]$`))},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("resourceGroupName")
			return subscriptionID(c) + "/resourceGroups/" + name, made(name, "Microsoft.Resources/resourceGroups", nil), nil
		},
	}
}

// identityArgs are the arguments of an identity. Source: Managed Identity API, User Assigned Identities.
type identityArgs struct {
	Location          *string           `pulumi:"location"`
	ResourceGroupName string            `pulumi:"resourceGroupName"`
	ResourceName      *string           `pulumi:"resourceName"`
	Tags              map[string]string `pulumi:"tags"`
}

type identityState struct {
	ClientID    string            `pulumi:"clientId"`
	Location    string            `pulumi:"location"`
	Name        string            `pulumi:"name"`
	PrincipalID string            `pulumi:"principalId"`
	Tags        map[string]string `pulumi:"tags"`
	TenantID    string            `pulumi:"tenantId"`
	Type        string            `pulumi:"type"`
}

func userAssignedIdentity() *engine.Resource {
	return &engine.Resource{
		Token: identityToken, Args: identityArgs{}, State: identityState{},
		Replace: []string{"resourceGroupName", "resourceName", "location"},
		Refs:    []engine.Ref{inGroup()},
		Plan:    []engine.Rule{shape("resourceName", "has 3 to 128 letters, digits, - and _", "Managed Identity API, User Assigned Identities", regexp.MustCompile(`^[A-Za-z0-9][-\w]{2,127}$`))},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("resourceName")
			return id(c, "Microsoft.ManagedIdentity/userAssignedIdentities", name), made(name, "Microsoft.ManagedIdentity/userAssignedIdentities", engine.Outputs{
				"clientId": guid(c, "client"), "principalId": guid(c, "principal"), "tenantId": Subscription,
			}), nil
		},
	}
}

// assignmentArgs are the arguments of a role assignment. Source: Authorization API, Role Assignments.
type assignmentArgs struct {
	Condition          *string `pulumi:"condition"`
	Description        *string `pulumi:"description"`
	PrincipalID        string  `pulumi:"principalId"`
	PrincipalType      *string `pulumi:"principalType"`
	RoleAssignmentName *string `pulumi:"roleAssignmentName"`
	RoleDefinitionID   string  `pulumi:"roleDefinitionId"`
	Scope              string  `pulumi:"scope"`
}

type assignmentState struct {
	Condition        *string `pulumi:"condition"`
	Description      *string `pulumi:"description"`
	Name             string  `pulumi:"name"`
	PrincipalID      string  `pulumi:"principalId"`
	PrincipalType    *string `pulumi:"principalType"`
	RoleDefinitionID string  `pulumi:"roleDefinitionId"`
	Scope            string  `pulumi:"scope"`
	Type             string  `pulumi:"type"`
}

func roleAssignment() *engine.Resource {
	const source = "Authorization API, Role Assignments"
	return &engine.Resource{
		Token: assignmentToken, Args: assignmentArgs{}, State: assignmentState{},
		Replace: []string{"principalId", "principalType", "roleAssignmentName", "roleDefinitionId", "scope"},
		Refs:    []engine.Ref{{Path: "principalId", To: identityToken, By: []string{"principalId"}, Code: "PrincipalNotFound"}},
		Plan: []engine.Rule{
			shape("roleAssignmentName", "is a GUID", source, regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)),
			shape("roleDefinitionId", "is the id of a role definition", source, regexp.MustCompile(`/providers/Microsoft\.Authorization/roleDefinitions/[0-9a-f-]{36}$`)),
		},
		Apply: []engine.Rule{assignedOnce},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("roleAssignmentName")
			return c.In.Str("scope") + "/providers/Microsoft.Authorization/roleAssignments/" + name, made(name, "Microsoft.Authorization/roleAssignments", nil), nil
		},
	}
}

var assignedOnce = engine.Rule{
	Name: "assigned-once", Says: "a principal has a role on a scope once", Source: "Authorization API, Role Assignments (RoleAssignmentExists)",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(assignmentToken) {
			if other.In.Str("scope") == c.In.Str("scope") && other.In.Str("principalId") == c.In.Str("principalId") && roleOf(other.In) == roleOf(c.In) {
				return engine.Refuse("RoleAssignmentExists", "The role assignment already exists: %s", other.ID)
			}
		}
		return nil
	},
}

// roleOf is the part of a role's id that is the same everywhere.
func roleOf(in engine.Props) string {
	text := in.Str("roleDefinitionId")
	return text[strings.LastIndex(text, "/")+1:]
}
