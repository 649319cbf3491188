import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const annotations = { readOnlyHint: true };
const inputSchema = z.object({});
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

const field = (name: string) => ({ type: "object" as const, properties: { [name]: { type: "string" as const } }, required: [name] });
const okForm = { type: "object" as const, properties: { ok: { type: "boolean" as const } }, required: ["ok"] };
const askName = () => inputRequired.elicit({ message: "What is your name?", requestedSchema: field("name") });
const askWords = (words: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: words } }], maxTokens });

type Responses = Record<string, { content?: Record<string, unknown> } | undefined>;
const responsesOf = ({ mcpReq }: ServerContext) => (mcpReq.inputResponses ?? {}) as Responses;

/** Defaults of all plain types (SEP-1034). */
const withDefaults = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const, default: "John Doe" },
    age: { type: "integer" as const, default: 30 },
    score: { type: "number" as const, default: 95.5 },
    status: { type: "string" as const, enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean" as const, default: true },
  },
};

const values = ["option1", "option2", "option3"];
const titled = values.map((_value, index) => ({ const: `value${index + 1}`, title: `${["First", "Second", "Third"][index]} Option` }));
/** The kinds of choices (SEP-1330). */
const choices = {
  type: "object" as const,
  properties: {
    untitledSingle: { type: "string" as const, enum: values },
    titledSingle: { type: "string" as const, oneOf: titled },
    legacyEnum: { type: "string" as const, enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
    untitledMulti: { type: "array" as const, items: { type: "string" as const, enum: values } },
    titledMulti: { type: "array" as const, items: { anyOf: titled } },
  },
};

/** The tools and the prompt of the suite that ask the client in the answer to a call (SEP-2322). */
export function registerQuestions(server: McpServer, state: RequestStateCodec<{ step: number }>): void {
  const mint = (step: number, ctx: ServerContext) => state.mint({ step }, ctx);
  server.registerTool("test_input_required_result_elicitation", { description: "Asks a name", inputSchema, annotations }, (_args, ctx) => {
    const name = responsesOf(ctx).user_name?.content?.name;
    return typeof name === "string" ? text(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: askName() } });
  });
  server.registerTool("test_input_required_result_sampling", { description: "Asks a model", inputSchema, annotations }, (_args, ctx) =>
    responsesOf(ctx).capital_question
      ? text(JSON.stringify(responsesOf(ctx).capital_question))
      : inputRequired({ inputRequests: { capital_question: askWords("What is the capital of France?", 100) } }),
  );
  server.registerTool("test_input_required_result_list_roots", { description: "Asks roots", inputSchema, annotations }, (_args, ctx) =>
    responsesOf(ctx).client_roots
      ? text(JSON.stringify(responsesOf(ctx).client_roots))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  );
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    server.registerTool(name, { description: "Asks with a state", inputSchema, annotations }, async (_args, ctx) => {
      const confirm = inputRequired.elicit({ message: "Please confirm", requestedSchema: okForm });
      if (responsesOf(ctx).confirm && ctx.mcpReq.requestState<{ step: number }>()?.step === 1) return text("state-ok");
      return inputRequired({ inputRequests: { confirm }, requestState: await mint(1, ctx) });
    });
  }
  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks all", inputSchema, annotations },
    async (_args, ctx) => {
      const { user_name, greeting, client_roots } = responsesOf(ctx);
      if (user_name && greeting && client_roots) return text("all answered");
      const inputRequests = {
        user_name: askName(),
        greeting: askWords("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      };
      return inputRequired({ inputRequests, requestState: await mint(1, ctx) });
    },
  );
  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks twice", inputSchema, annotations },
    async (_args, ctx) => {
      const { step1, step2 } = responsesOf(ctx);
      if (step2) return text("both answered");
      const message = step1 ? "Step 2: What is your favorite color?" : "Step 1: What is your name?";
      const asked = inputRequired.elicit({ message, requestedSchema: field(step1 ? "color" : "name") });
      return inputRequired({ inputRequests: { [step1 ? "step2" : "step1"]: asked }, requestState: await mint(step1 ? 2 : 1, ctx) });
    },
  );
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks what it may", inputSchema, annotations },
    (_args, ctx) => {
      const { name, words } = responsesOf(ctx);
      if (name || words) return text("answered");
      const can = (ctx.mcpReq.envelope as Record<string, { sampling?: object }> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
      return inputRequired({ inputRequests: can?.sampling ? { words: askWords("Greet", 50) } : { name: askName() } });
    },
  );
  server.registerTool("test_missing_capability", { description: "Needs sampling", inputSchema, annotations }, (_args, ctx) =>
    // The SDK refuses a question that the client does not answer, with the error of the protocol.
    responsesOf(ctx).words ? text("sampling is there") : inputRequired({ inputRequests: { words: askWords("Greet", 50) } }),
  );
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks first" }, (ctx) => {
    const context = responsesOf(ctx).user_context?.content?.context;
    if (typeof context === "string") return { messages: [{ role: "user" as const, content: { type: "text" as const, text: context } }] };
    const asked = inputRequired.elicit({ message: "What context should the prompt use?", requestedSchema: field("context") });
    return inputRequired({ inputRequests: { user_context: asked } });
  });
}

/** The tools of the suite whose questions clients of revisions up to 2025-11-25 are asked while the call runs. */
export function registerRequests(server: McpServer): void {
  const askForm = (name: string, requestedSchema: Parameters<typeof inputRequired.elicit>[0]["requestedSchema"]) =>
    server.registerTool(
      name,
      { description: "Asks", inputSchema: z.object({ message: z.string().default("Please answer") }), annotations },
      ({ message }, ctx) => {
        const answer = responsesOf(ctx).form as { action?: string; content?: object } | undefined;
        if (!answer) return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema }) } });
        return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
      },
    );
  askForm("test_elicitation", {
    type: "object",
    properties: { username: { type: "string" }, email: { type: "string" } },
    required: ["username", "email"],
  });
  askForm("test_elicitation_sep1034_defaults", withDefaults);
  askForm("test_elicitation_sep1330_enums", choices);
  const prompt = z.object({ prompt: z.string().default("Say something") });
  server.registerTool("test_sampling", { description: "Samples", inputSchema: prompt, annotations }, (args, ctx) => {
    const answer = responsesOf(ctx).words as { content?: { text?: string } } | undefined;
    if (!answer) return inputRequired({ inputRequests: { words: askWords(args.prompt, 100) } });
    return text(`LLM response: ${answer.content?.text}`);
  });
}
