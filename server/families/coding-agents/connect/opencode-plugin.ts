/** Handrail's plugin for opencode: it asks before each call by the hook program, and throws unless the answer is a yes. */
export const opencodePlugin = `// Handrail asks before each call of opencode. Written by handrail's connect; removed by its --undo.
import { spawn } from "node:child_process";

const program = {{program}};

function hook(kind, body) {
  return new Promise((resolve, reject) => {
    const child = spawn("node", [program, "opencode", kind], { stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    let problem = "";
    child.stdout.on("data", (piece) => (out += piece));
    child.stderr.on("data", (piece) => (problem += piece));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(out.trim() === "" ? {} : JSON.parse(out)) : reject(new Error(problem.trim() || "Handrail did not answer."))));
    child.stdin.end(JSON.stringify(body));
  });
}

export const Handrail = async ({ directory }) => {
  const about = (input) => ({ sessionID: input.sessionID, callID: input.callID, tool: input.tool, directory, cwd: directory });
  return {
    "tool.execute.before": async (input, output) => {
      const answer = await hook("ask", { event: "before", ...about(input), args: output.args });
      if (answer.decision !== "allow") throw new Error(answer.reason || "Denied by policy.");
      if (answer.args) Object.assign(output.args, answer.args);
    },
    "tool.execute.after": async (input, output) => {
      const answer = await hook("tell", { event: "after", ...about(input), args: input.args || {}, output: output.output }).catch(() => ({}));
      if (typeof answer.output === "string") output.output = answer.output;
    },
  };
};
`;
