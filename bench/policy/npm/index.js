"use strict";
// The five rules, with npm's @pulumi/policy. It prints its port and serves the engine's protocol.
const { PolicyPack } = require("@pulumi/policy");

const listed = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const rule = (name, types, judge) => ({
    name,
    description: name,
    enforcementLevel: "mandatory",
    validateResource: ({ type, props }, reportViolation) => {
        if (types.includes(type)) {
            judge(props, reportViolation);
        }
    },
});

function statements(document) {
    try {
        return typeof document === "string" ? listed(JSON.parse(document).Statement) : [];
    } catch {
        return []; // IAM refuses it
    }
}

new PolicyPack("five-rules", {
    policies: [
        rule("imdsv2-required", ["aws:ec2/launchTemplate:LaunchTemplate", "aws:ec2/instance:Instance"], (props, report) => {
            const options = props.metadataOptions ?? {};
            if ((options.httpTokens ?? "optional") !== "required" && (options.httpEndpoint ?? "enabled") !== "disabled") {
                report(`metadataOptions.httpTokens is ${options.httpTokens}: set it to "required".`);
            }
        }),
        rule("addon-version-pinned", ["aws:eks/addon:Addon"], (props, report) => {
            if (!props.addonVersion) {
                report(`addonVersion is left out for ${props.addonName}.`);
            }
        }),
        rule("iam-admin-statement", ["aws:iam/policy:Policy", "aws:iam/rolePolicy:RolePolicy", "aws:iam/userPolicy:UserPolicy",
            "aws:iam/groupPolicy:GroupPolicy", "aws:iam/role:Role"], (props, report) => {
            for (const document of [props.policy, ...listed(props.inlinePolicies).map((inline) => inline.policy)]) {
                statements(document).forEach((statement, i) => {
                    const actions = listed(statement.Action);
                    if (statement.Effect === "Allow" && (actions.includes("*") || actions.includes("*:*")) && listed(statement.Resource).includes("*")) {
                        report(`Statement ${i + 1} allows every action on every resource.`);
                    }
                });
            }
        }),
        rule("cluster-endpoint-public", ["aws:eks/cluster:Cluster"], (props, report) => {
            const config = props.vpcConfig;
            if (!config || config.endpointPublicAccess === false) {
                return;
            }
            const cidrs = listed(config.publicAccessCidrs);
            if (cidrs.length === 0 || cidrs.includes("0.0.0.0/0") || cidrs.includes("::/0")) {
                report("The endpoint is public to the world.");
            }
        }),
        rule("lambda-image-digest", ["aws:lambda/function:Function"], (props, report) => {
            if (props.packageType === "Image" && props.imageUri && !props.imageUri.includes("@sha256:")) {
                report(`imageUri is ${props.imageUri}, which names no digest.`);
            }
        }),
    ],
});
