package serverless

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// lookup asks Azure for something that is secret.
func (b *appBuilder) lookup(token string, args pulumi.Map) pulumi.MapOutput {
	answer := b.ctx.InvokeOutput(token, args, pulumi.MapOutput{}, pulumi.InvokeOutputOptions{
		InvokeOptions: []pulumi.InvokeOption{pulumi.Parent(b.identity), pulumi.Version(AzureVersion)},
	})
	return pulumi.ToSecret(answer).(pulumi.MapOutput)
}

// workspaceKey returns the key of the workspace that was made here.
func (b *appBuilder) workspaceKey() pulumi.StringOutput {
	keys := b.lookup(tokenSharedKeys, pulumi.Map{"resourceGroupName": b.group, "workspaceName": b.workspace.Name})
	return keys.ApplyT(func(all map[string]any) string {
		key, _ := all["primarySharedKey"].(string)
		return key
	}).(pulumi.StringOutput)
}

// accountKey returns the first key of a storage account, which SMB shares are mounted with.
func (b *appBuilder) accountKey(group, account string) pulumi.StringOutput {
	answer := b.lookup(tokenAccountKeys, pulumi.Map{"resourceGroupName": pulumi.String(group), "accountName": pulumi.String(account)})
	return answer.ApplyT(func(all map[string]any) string {
		keys, _ := all["keys"].([]any)
		if len(keys) == 0 {
			return ""
		}
		first, _ := keys[0].(map[string]any)
		key, _ := first["value"].(string)
		return key
	}).(pulumi.StringOutput)
}
