// An MCP server with an app (MCP Apps): a counter whose page uses the official library for apps, the file of the first argument.
import { readFile } from "node:fs/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const uri = "ui://counter/page.html";
const mimeType = "text/html;profile=mcp-app";
const library = await readFile(process.argv[2], "utf8");

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Counter</title></head>
<body style="margin:0;font:14px sans-serif">
<h1 id="title" style="font-size:16px">Counter</h1>
<p>Input <output id="input"></output>, result <output id="result"></output>, theme <output id="theme"></output></p>
<p>Count <output id="count"></output> <button id="more">Count on</button> <button id="reset">Reset</button> <button id="link">Open the manual</button></p>
<p id="note"></p>
<p id="isolation"></p>
<script type="text/plain" id="library">${library.replaceAll("</", "<\\/")}</script>
<script type="module">
const show = (id, text) => { document.getElementById(id).textContent = text; };
const source = document.getElementById("library").textContent;
const { App } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
const app = new App({ name: "counter", version: "1.0.0" }, {});
app.ontoolinput = ({ arguments: args }) => show("input", JSON.stringify(args));
app.ontoolresult = ({ structuredContent }) => { show("result", JSON.stringify(structuredContent)); show("count", structuredContent.count); };
app.onhostcontextchanged = ({ theme }) => { if (theme) show("theme", theme); };
await app.connect();
show("theme", app.getHostContext().theme);
const call = async (name) => {
  show("note", "");
  try {
    const result = await app.callServerTool({ name, arguments: {} });
    if (result.isError) show("note", result.content[0].text);
    else show("count", result.structuredContent.count);
  } catch (error) { show("note", error.message); }
};
document.getElementById("more").onclick = () => call("count_on");
document.getElementById("reset").onclick = () => call("reset");
document.getElementById("link").onclick = async () => {
  const { isError } = await app.openLink({ url: "https://manual.example.com/counter" });
  show("note", isError ? "not opened" : "opened");
};
const refused = [];
for (const [what, attempt] of Object.entries({
  origin: () => { if (location.origin !== "null" && self.origin !== "null") throw 0; return self.origin; },
  cookie: () => document.cookie,
  storage: () => localStorage.length,
  parent: () => parent.document.title,
})) { try { attempt(); if (what === "origin") refused.push("origin " + self.origin); } catch { refused.push(what); } }
await fetch("/api/v1/me").then(() => {}, () => refused.push("fetch"));
await fetch("https://elsewhere.example.com/").then(() => {}, () => refused.push("network"));
show("isolation", "Refused: " + refused.join(", "));
</script>
</body>
</html>`;

const server = new McpServer({ name: "counter", version: "1.0.0" });
let count = 0;
const counted = () => ({ content: [{ type: "text", text: `The count is ${count}.` }], structuredContent: { count } });
const outputSchema = { count: z.number() };
const readOnly = { readOnlyHint: true };
server.registerTool(
  "show_counter",
  {
    description: "Shows the counter",
    inputSchema: { start: z.number() },
    outputSchema,
    annotations: readOnly,
    _meta: { ui: { resourceUri: uri } },
  },
  ({ start }) => {
    count = start;
    return counted();
  },
);
server.registerTool(
  "count_on",
  { description: "Counts on", outputSchema, annotations: readOnly, _meta: { ui: { visibility: ["app"] } } },
  () => {
    count += 1;
    return counted();
  },
);
server.registerTool(
  "reset",
  { description: "Sets the counter to zero", outputSchema, annotations: { destructiveHint: true }, _meta: { ui: { visibility: ["app"] } } },
  () => {
    count = 0;
    return counted();
  },
);
server.registerTool("audit", { description: "For models only", annotations: readOnly, _meta: { ui: { visibility: ["model"] } } }, () => ({
  content: [{ type: "text", text: "audited" }],
}));
const csp = {
  connectDomains: ["https://api.example.com", "http://plain.example.com", "https://a.example.com; script-src *"],
  resourceDomains: ["https://*.cdn.example.com"],
};
server.registerResource("counter", uri, { mimeType }, () => ({
  contents: [{ uri, mimeType, text: page, _meta: { ui: { csp, prefersBorder: true } } }],
}));
await server.connect(new StdioServerTransport());
