import { serverProgram } from "@/server/mcp/connect/program/server-program";
import { startProcessGroup } from "@/server/mcp/connect/transport/process-group";

/** A server with an MCP server's program in the sandbox, in its own process, which a test kills. Arguments: the program's. */
const [command = "", ...args] = process.argv.slice(2);
const settings = { id: null, alias: "held", transport: "stdio", command, args, env: {}, cwd: null, url: null, headers: {} } as const;
const program = await serverProgram({ ...settings, network: "open", allowedHosts: [], connectTimeoutSeconds: 10 }, {});
startProcessGroup(program);
program.started();
console.log("started");
