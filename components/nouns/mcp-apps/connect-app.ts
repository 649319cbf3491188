import type { AppBridge, McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { JsonObject } from "@/contracts/common";

type CallToolResult = Awaited<ReturnType<NonNullable<AppBridge["oncalltool"]>>>;

export type AppHandlers = {
  callTool: (asked: { name: string; arguments: JsonObject }, signal: AbortSignal) => Promise<JsonObject>;
  /** Resolves to false when the person does not open the address. */
  openLink: (url: string) => Promise<boolean>;
  resize: (height: number) => void;
  close: () => void;
};

/** The bridge is loaded with the first app, because it brings the protocol's schemas. */
async function loadBridge() {
  const { config } = await import("zod/v4/core");
  // Compiling schemas needs `eval`, which the console's policy forbids; asking whether it works reports a violation.
  config({ jitless: true });
  return import("@modelcontextprotocol/ext-apps/app-bridge");
}

/**
 * Connects the bridge of MCP Apps to a frame whose page is not loaded yet, so that no message of it is missed. The app
 * reaches its server by `callTool` only; reading resources, messages to the model and downloads are not offered.
 */
export async function connectApp(
  view: Window,
  { input, result, context, handlers }: { input: JsonObject; result: JsonObject; context: McpUiHostContext; handlers: AppHandlers },
): Promise<AppBridge> {
  const { AppBridge: Bridge, PostMessageTransport } = await loadBridge();
  const capabilities = { openLinks: {}, serverTools: {} };
  const bridge = new Bridge(null, { name: "handrail", title: "Handrail", version: "1" }, capabilities, { hostContext: context });
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: input });
    void bridge.sendToolResult(result as CallToolResult);
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) handlers.resize(height);
  };
  bridge.oncalltool = async ({ name, arguments: args = {} }, { mcpReq }) =>
    (await handlers.callTool({ name, arguments: args as JsonObject }, mcpReq.signal)) as CallToolResult;
  bridge.onopenlink = async ({ url }) => ((await handlers.openLink(url)) ? {} : { isError: true });
  bridge.onrequestteardown = () => handlers.close();
  await bridge.connect(new PostMessageTransport(view, view));
  return bridge;
}
