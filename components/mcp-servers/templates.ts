import { emptyFields, keyValue, type ServerFields } from "./server-draft";

/** Servers that many people start with. */
export const templates: readonly { name: string; what: string; fields: ServerFields }[] = [
  {
    name: "Filesystem",
    what: "Files in the folders that you name",
    fields: { ...emptyFields, alias: "files", command: "npx", args: "-y\n@modelcontextprotocol/server-filesystem\n/path/to/a/folder" },
  },
  {
    name: "Memory",
    what: "A knowledge graph that agents keep",
    fields: {
      ...emptyFields,
      alias: "memory",
      command: "npx",
      args: "-y\n@modelcontextprotocol/server-memory",
      env: [keyValue("MEMORY_FILE_PATH", "/path/to/memory.jsonl")],
    },
  },
  {
    name: "Everything",
    what: "One tool of each kind, for trying things out",
    fields: { ...emptyFields, alias: "everything", command: "npx", args: "-y\n@modelcontextprotocol/server-everything" },
  },
  {
    name: "Over HTTP",
    what: "A server that runs somewhere else",
    fields: {
      ...emptyFields,
      transport: "streamable_http",
      url: "https://example.com/mcp",
      headers: [keyValue("Authorization", "Bearer $env:EXAMPLE_TOKEN")],
    },
  },
];
