package azure

import (
	"regexp"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	workspaceToken  = "azure-native:operationalinsights:Workspace"
	diagnosticToken = "azure-native:insights:DiagnosticSetting"
	accountToken    = "azure-native:storage:StorageAccount"
	queueToken      = "azure-native:storage:Queue"
)

type sku struct {
	Name string `pulumi:"name"`
}

// workspaceArgs are the arguments of a workspace. Source: Operational Insights API, Workspaces.
type workspaceArgs struct {
	Location          *string           `pulumi:"location"`
	ResourceGroupName string            `pulumi:"resourceGroupName"`
	RetentionInDays   *int              `pulumi:"retentionInDays"`
	Sku               *sku              `pulumi:"sku"`
	Tags              map[string]string `pulumi:"tags"`
	WorkspaceName     *string           `pulumi:"workspaceName"`
}

type workspaceState struct {
	CustomerID        string            `pulumi:"customerId"`
	Location          string            `pulumi:"location"`
	Name              string            `pulumi:"name"`
	ProvisioningState string            `pulumi:"provisioningState"`
	RetentionInDays   *int              `pulumi:"retentionInDays"`
	Sku               *sku              `pulumi:"sku"`
	Tags              map[string]string `pulumi:"tags"`
	Type              string            `pulumi:"type"`
}

func workspace() *engine.Resource {
	const kind = "Microsoft.OperationalInsights/workspaces"
	return &engine.Resource{
		Token: workspaceToken, Args: workspaceArgs{}, State: workspaceState{},
		Replace: []string{"resourceGroupName", "workspaceName", "location"},
		Refs:    []engine.Ref{inGroup()},
		Plan: []engine.Rule{
			shape("workspaceName", "has 4 to 63 letters, digits and -", "Operational Insights API, Workspaces", regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{2,61}[A-Za-z0-9]$`)),
			logRetention,
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("workspaceName")
			return id(c, kind, name), made(name, kind, engine.Outputs{"customerId": guid(c, "customer"), "provisioningState": "Succeeded"}), nil
		},
	}
}

var logRetention = engine.Rule{
	Name: "log-retention", Says: "logs are kept for 30 to 730 days", Source: "Azure Monitor, \"Manage data retention in a Log Analytics workspace\"",
	Judge: func(c *engine.Call) error {
		if n, ok := c.In.Int("retentionInDays"); ok && (n < 30 || n > 730) {
			return engine.Invalid("retentionInDays", "got %d, wanted 30 to 730", n)
		}
		return nil
	},
}

type sharedKeysArgs struct {
	ResourceGroupName string `pulumi:"resourceGroupName"`
	WorkspaceName     string `pulumi:"workspaceName"`
}

type sharedKeysResult struct {
	PrimarySharedKey   string `pulumi:"primarySharedKey"`
	SecondarySharedKey string `pulumi:"secondarySharedKey"`
}

func getSharedKeys() *engine.Function {
	return &engine.Function{
		Token: "azure-native:operationalinsights:getSharedKeys", Args: &sharedKeysArgs{}, Result: &sharedKeysResult{},
		Call: func(c *engine.Call) (engine.Outputs, error) {
			if _, ok := c.Get(workspaceToken, id(c, "Microsoft.OperationalInsights/workspaces", c.In.Str("workspaceName"))); !ok {
				return nil, engine.Refuse("ResourceNotFound", "The workspace %s was not found", c.In.Str("workspaceName"))
			}
			return engine.Outputs{"primarySharedKey": "c2ltdWxhdGVk", "secondarySharedKey": "c2ltdWxhdGVkMg=="}, nil
		},
	}
}

// diagnosticArgs are the arguments of a diagnostic setting. Source: Monitor API, Diagnostic Settings.
type diagnosticArgs struct {
	Logs        []diagnosticLog `pulumi:"logs"`
	Name        *string         `pulumi:"name"`
	ResourceURI string          `pulumi:"resourceUri"`
	WorkspaceID *string         `pulumi:"workspaceId"`
}

type diagnosticLog struct {
	Category      *string `pulumi:"category"`
	CategoryGroup *string `pulumi:"categoryGroup"`
	Enabled       bool    `pulumi:"enabled"`
}

type diagnosticState struct {
	Logs        []diagnosticLog `pulumi:"logs"`
	Name        string          `pulumi:"name"`
	Type        string          `pulumi:"type"`
	WorkspaceID *string         `pulumi:"workspaceId"`
}

func diagnosticSetting() *engine.Resource {
	return &engine.Resource{
		Token: diagnosticToken, Args: diagnosticArgs{}, State: diagnosticState{},
		Required: []string{"logs"},
		Replace:  []string{"name", "resourceUri"},
		Refs: []engine.Ref{
			{Path: "resourceUri", To: environmentToken, By: byID, Code: "ResourceNotFound"},
			{Path: "workspaceId", To: workspaceToken, By: byID, Code: "ResourceNotFound"},
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("name")
			c.ComeWith(environmentToken, c.In.Str("resourceUri"))
			return c.In.Str("resourceUri") + "/providers/Microsoft.Insights/diagnosticSettings/" + name, made(name, "Microsoft.Insights/diagnosticSettings", nil), nil
		},
	}
}

// accountArgs are the arguments of a storage account. Source: Storage API, Storage Accounts.
type accountArgs struct {
	AccountName            *string           `pulumi:"accountName"`
	AllowBlobPublicAccess  *bool             `pulumi:"allowBlobPublicAccess"`
	AllowSharedKeyAccess   *bool             `pulumi:"allowSharedKeyAccess"`
	EnableHTTPSTrafficOnly *bool             `pulumi:"enableHttpsTrafficOnly"`
	Kind                   string            `pulumi:"kind"`
	Location               *string           `pulumi:"location"`
	MinimumTLSVersion      *string           `pulumi:"minimumTlsVersion"`
	ResourceGroupName      string            `pulumi:"resourceGroupName"`
	Sku                    *sku              `pulumi:"sku"`
	Tags                   map[string]string `pulumi:"tags"`
}

type accountState struct {
	AllowBlobPublicAccess  *bool             `pulumi:"allowBlobPublicAccess"`
	AllowSharedKeyAccess   *bool             `pulumi:"allowSharedKeyAccess"`
	EnableHTTPSTrafficOnly *bool             `pulumi:"enableHttpsTrafficOnly"`
	Kind                   string            `pulumi:"kind"`
	Location               string            `pulumi:"location"`
	MinimumTLSVersion      *string           `pulumi:"minimumTlsVersion"`
	Name                   string            `pulumi:"name"`
	ProvisioningState      string            `pulumi:"provisioningState"`
	Sku                    *sku              `pulumi:"sku"`
	Tags                   map[string]string `pulumi:"tags"`
	Type                   string            `pulumi:"type"`
}

func storageAccount() *engine.Resource {
	const kind = "Microsoft.Storage/storageAccounts"
	return &engine.Resource{
		Token: accountToken, Args: accountArgs{}, State: accountState{},
		Replace: []string{"resourceGroupName", "accountName", "location", "kind"},
		Refs:    []engine.Ref{inGroup()},
		Plan:    []engine.Rule{shape("accountName", "has 3 to 24 lower-case letters and digits", "Azure Storage, \"Storage account overview\"", regexp.MustCompile(`^[a-z0-9]{3,24}$`))},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("accountName")
			return id(c, kind, name), made(name, kind, engine.Outputs{"provisioningState": "Succeeded"}), nil
		},
	}
}

type accountKeysArgs struct {
	AccountName       string  `pulumi:"accountName"`
	Expand            *string `pulumi:"expand"`
	ResourceGroupName string  `pulumi:"resourceGroupName"`
}

type accountKeysResult struct {
	Keys []accountKey `pulumi:"keys"`
}

type accountKey struct {
	KeyName     string `pulumi:"keyName"`
	Permissions string `pulumi:"permissions"`
	Value       string `pulumi:"value"`
}

// listStorageAccountKeys gives the keys of any account: one that is mounted was made outside the program.
func listStorageAccountKeys() *engine.Function {
	return &engine.Function{
		Token: "azure-native:storage:listStorageAccountKeys", Args: &accountKeysArgs{}, Result: &accountKeysResult{},
		Call: func(*engine.Call) (engine.Outputs, error) {
			return engine.Outputs{"keys": []any{map[string]any{"keyName": "key1", "permissions": "FULL", "value": "c2ltdWxhdGVk"}}}, nil
		},
	}
}

// queueArgs are the arguments of a queue. Source: Storage API, Queues.
type queueArgs struct {
	AccountName       string            `pulumi:"accountName"`
	Metadata          map[string]string `pulumi:"metadata"`
	QueueName         *string           `pulumi:"queueName"`
	ResourceGroupName string            `pulumi:"resourceGroupName"`
}

type queueState struct {
	ApproximateMessageCount int               `pulumi:"approximateMessageCount"`
	Metadata                map[string]string `pulumi:"metadata"`
	Name                    string            `pulumi:"name"`
	Type                    string            `pulumi:"type"`
}

func storageQueue() *engine.Resource {
	return &engine.Resource{
		Token: queueToken, Args: queueArgs{}, State: queueState{},
		Replace: []string{"resourceGroupName", "accountName", "queueName"},
		Refs:    []engine.Ref{inGroup(), {Path: "accountName", To: accountToken, By: []string{"name"}, Code: "ResourceNotFound"}},
		Plan:    []engine.Rule{shape("queueName", "has 3 to 63 lower-case letters, digits and single -", "Azure Storage, \"Naming queues and metadata\"", regexp.MustCompile(`^[a-z0-9](-?[a-z0-9]){2,62}$`))},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			account, _ := c.Resolve("accountName")
			c.ComeWith(accountToken, account.ID)
			name := c.In.Str("queueName")
			return strings.Join([]string{account.ID, "queueServices/default/queues", name}, "/"), made(name, "Microsoft.Storage/storageAccounts/queueServices/queues", nil), nil
		},
	}
}
