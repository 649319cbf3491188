import { SandboxStatus } from "../decisions/effects";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const sandboxEndpoints = {
  status: endpoint({
    method: "GET",
    path: "/api/v1/sandbox",
    summary: "Whether programs of calls run in a sandbox on the process that answers, and what to do where they do not",
    permission: "guard:read",
    response: SandboxStatus,
  }),
};

export const sandboxContract = defineContract({
  reference: { name: "Sandbox", description: "What confines the programs of calls." },
  glossary: {
    sandbox: "The bubblewrap namespace in which commands and MCP programs run.",
  },
  endpoints: sandboxEndpoints,
});
