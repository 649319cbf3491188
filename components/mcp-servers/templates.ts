import { emptyFields, keyValue, type ServerFields } from "./server-draft";

/** Templates for common servers. */
export const templates: readonly { name: string; what: string; fields: ServerFields }[] = [
  {
    name: "Filesystem",
    what: "Files in named folders",
    fields: { ...emptyFields, alias: "files", command: "npx", args: "-y\n@modelcontextprotocol/server-filesystem\n/path/to/a/folder" },
  },
  {
    name: "Memory",
    what: "A knowledge graph",
    fields: {
      ...emptyFields,
      alias: "memory",
      command: "npx",
      args: "-y\n@modelcontextprotocol/server-memory",
      cwd: "/path/to/a/folder",
      env: [keyValue("MEMORY_FILE_PATH", "/path/to/a/folder/memory.jsonl")],
    },
  },
  {
    name: "Everything",
    what: "Test server with every feature",
    fields: { ...emptyFields, alias: "everything", command: "npx", args: "-y\n@modelcontextprotocol/server-everything" },
  },
  {
    name: "Over HTTP",
    what: "A remote server",
    fields: {
      ...emptyFields,
      transport: "streamable_http",
      url: "https://example.com/mcp",
      headers: [keyValue("Authorization", "Bearer $env:MCP_EXAMPLE_TOKEN")],
    },
  },
];
