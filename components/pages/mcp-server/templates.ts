import { emptyFields, keyValue, type ServerFields } from "@/components/nouns/mcp-servers/server-draft";

/** A well-known server, as a start for the form. */
export type Template = { name: string; what: string; fields: ServerFields };

const npx = (alias: string, args: readonly string[], env: Record<string, string> = {}): ServerFields => ({
  ...emptyFields,
  alias,
  command: "npx",
  args: ["-y", ...args].join("\n"),
  env: Object.entries(env).map(([name, value]) => keyValue(name, value)),
});
const uvx = (alias: string, args: readonly string[], env: Record<string, string> = {}): ServerFields => ({
  ...npx(alias, [], env),
  command: "uvx",
  args: args.join("\n"),
});
const remote = (alias: string, url: string, headers: Record<string, string> = {}): ServerFields => ({
  ...emptyFields,
  alias,
  transport: "streamable_http",
  url,
  headers: Object.entries(headers).map(([name, value]) => keyValue(name, value)),
});
const bearer = (variable: string) => ({ Authorization: `Bearer $env:${variable}` });

/**
 * Well-known servers; the first are shown before a search. A secret is a reference to a variable, so that a template
 * without its secret names the variable when it is tested.
 */
export const templates: readonly Template[] = [
  {
    name: "Filesystem",
    what: "Files in named folders",
    fields: npx("files", ["@modelcontextprotocol/server-filesystem", "/path/to/a/folder"]),
  },
  {
    name: "GitHub",
    what: "Repositories, issues and pull requests",
    fields: remote("github", "https://api.githubcopilot.com/mcp/", bearer("MCP_GITHUB_TOKEN")),
  },
  {
    name: "Memory",
    what: "A knowledge graph",
    fields: {
      ...npx("memory", ["@modelcontextprotocol/server-memory"], { MEMORY_FILE_PATH: "/path/to/a/folder/memory.jsonl" }),
      cwd: "/path/to/a/folder",
    },
  },
  { name: "Over HTTP", what: "A remote server", fields: remote("", "https://example.com/mcp", bearer("MCP_EXAMPLE_TOKEN")) },
  { name: "Everything", what: "Test server with every feature", fields: npx("everything", ["@modelcontextprotocol/server-everything"]) },
  {
    name: "Sequential thinking",
    what: "Notes for step-by-step reasoning",
    fields: npx("thinking", ["@modelcontextprotocol/server-sequential-thinking"]),
  },
  { name: "Fetch", what: "Web pages as Markdown", fields: uvx("fetch", ["mcp-server-fetch"]) },
  {
    name: "Git",
    what: "History and changes of a repository",
    fields: uvx("git", ["mcp-server-git", "--repository", "/path/to/a/repository"]),
  },
  { name: "Time", what: "Times and time zones", fields: uvx("time", ["mcp-server-time"]) },
  { name: "Playwright", what: "A browser: pages, clicks, forms", fields: npx("playwright", ["@playwright/mcp@latest", "--headless"]) },
  {
    name: "Chrome DevTools",
    what: "Inspect and debug pages in Chrome",
    fields: npx("chrome", ["chrome-devtools-mcp@latest", "--headless"]),
  },
  { name: "Context7", what: "Current documentation of libraries", fields: remote("context7", "https://mcp.context7.com/mcp") },
  { name: "DeepWiki", what: "Documentation of GitHub repositories", fields: remote("deepwiki", "https://mcp.deepwiki.com/mcp") },
  {
    name: "Microsoft Learn",
    what: "Documentation of Microsoft and Azure",
    fields: remote("mslearn", "https://learn.microsoft.com/api/mcp"),
  },
  {
    name: "AWS documentation",
    what: "Documentation of Amazon Web Services",
    fields: uvx("awsdocs", ["awslabs.aws-documentation-mcp-server@latest"]),
  },
  {
    name: "Cloudflare documentation",
    what: "Documentation of Cloudflare",
    fields: remote("cfdocs", "https://docs.mcp.cloudflare.com/mcp"),
  },
  {
    name: "Hugging Face",
    what: "Models, data sets and papers",
    fields: remote("huggingface", "https://huggingface.co/mcp", bearer("MCP_HF_TOKEN")),
  },
  {
    name: "Brave Search",
    what: "Web search",
    fields: npx("brave", ["@brave/brave-search-mcp-server"], { BRAVE_API_KEY: "$env:MCP_BRAVE_API_KEY" }),
  },
  {
    name: "Tavily",
    what: "Web search and extraction",
    fields: npx("tavily", ["tavily-mcp@latest"], { TAVILY_API_KEY: "$env:MCP_TAVILY_API_KEY" }),
  },
  { name: "Exa", what: "Web and code search", fields: remote("exa", "https://mcp.exa.ai/mcp?exaApiKey=$env:MCP_EXA_API_KEY") },
  {
    name: "Firecrawl",
    what: "Scrape and crawl web sites",
    fields: npx("firecrawl", ["firecrawl-mcp"], { FIRECRAWL_API_KEY: "$env:MCP_FIRECRAWL_API_KEY" }),
  },
  {
    name: "Stripe",
    what: "Payments, customers and invoices",
    fields: remote("stripe", "https://mcp.stripe.com", bearer("MCP_STRIPE_KEY")),
  },
  { name: "Linear", what: "Issues and projects", fields: remote("linear", "https://mcp.linear.app/mcp", bearer("MCP_LINEAR_API_KEY")) },
  {
    name: "Notion",
    what: "Pages and databases",
    fields: npx("notion", ["@notionhq/notion-mcp-server"], { NOTION_TOKEN: "$env:MCP_NOTION_TOKEN" }),
  },
  {
    name: "Supabase",
    what: "Databases and projects",
    fields: remote("supabase", "https://mcp.supabase.com/mcp?read_only=true", bearer("MCP_SUPABASE_TOKEN")),
  },
  { name: "Neon", what: "Serverless Postgres", fields: remote("neon", "https://mcp.neon.tech/mcp", bearer("MCP_NEON_API_KEY")) },
  {
    name: "MongoDB",
    what: "Collections and queries, read only",
    fields: npx("mongodb", ["mongodb-mcp-server", "--readOnly"], { MDB_MCP_CONNECTION_STRING: "$env:MCP_MONGODB_URI" }),
  },
  {
    name: "Grafana",
    what: "Dashboards, metrics and alerts",
    fields: uvx("grafana", ["mcp-grafana"], {
      GRAFANA_URL: "https://grafana.example.com",
      GRAFANA_SERVICE_ACCOUNT_TOKEN: "$env:MCP_GRAFANA_TOKEN",
    }),
  },
];

const shownAtFirst = 4;

/** Returns the templates that have all words of a search; without a search, the first ones. */
export function findTemplates(search: string): readonly Template[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return templates.slice(0, shownAtFirst);
  return templates.filter(({ name, what, fields }) => {
    const text = [name, what, fields.alias, fields.url, fields.args].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
