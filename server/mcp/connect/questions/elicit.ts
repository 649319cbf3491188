import type { ElicitRequestFormParams, ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isPrivateAsWritten } from "@/server/capabilities/public-address";
import { AppError, isAppError } from "@/server/platform/errors";
import type { PersonQuestion } from "@/server/tools/define-tool";
import { cleanText } from "../text/clean-text";
import { type FormField, formFields, parseFieldAnswer } from "./elicitation-form";
import { formMismatch } from "./form-mismatch";
import { type Elicit, unanswered } from "./running-calls";

type Ask = (question: PersonQuestion) => Promise<string>;
type Content = NonNullable<ElicitResult["content"]>;

const maxMessageCharacters = 1_200;
const maxFields = 10;
/** How often a field is asked when the answers do not fit it. */
const maxTries = 3;
const maxUrlCharacters = 2_000;
const done = "Done";
const decline = "Decline";
const accept = "Accept";
const skip = "Skip";

/**
 * Answers a server's elicitation by asking a person, one question per field of the form. Only a person's refusal declines;
 * a time-out and a form that cannot be asked cancel, and `onUnanswered` hears why.
 */
export function elicitFrom(alias: string, ask: Ask, onUnanswered: (why: string) => void): Elicit {
  return async (params, signal, ofSeveral = false) => {
    const asks = ofSeveral ? `The MCP server ${alias}, which works for several conversations now,` : `The MCP server ${alias}`;
    try {
      return await (params.mode === "url" ? elicitUrl(asks, params, ask) : elicitForm(asks, params as ElicitRequestFormParams, ask));
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      if (error.code === declinedCode) return declined;
      onUnanswered(error.message);
      return unanswered;
    }
  };
}

/** A person has refused. */
const declined: ElicitResult = { action: "decline" };
/** The code by which `ask` says so. */
const declinedCode = "conflict";

/** @throws AppError, whose sentence says why there is no answer */
function giveUp(why: string): never {
  throw new AppError("unavailable", why);
}

async function elicitUrl(asks: string, { url, message }: Extract<ElicitRequestParams, { mode: "url" }>, ask: Ask): Promise<ElicitResult> {
  const address = safeAddress(url);
  if (address === null) giveUp("Its address is none that a person should open.");
  const text = `${asks} asks you to open a page at ${address.host}: ${cleanText(message, maxMessageCharacters)}`;
  const answer = await ask({ text, options: [done, decline], url: address.href });
  return answer === done ? { action: "accept" } : declined;
}

/** Checks an address that a server wants a person to open; null for one that nobody should open. */
export function safeAddress(text: string): URL | null {
  if (text.length > maxUrlCharacters || !URL.canParse(text)) return null;
  const url = new URL(text);
  // A name and password in front of a host make an address look like another one.
  const isPlain = url.protocol === "https:" && url.username === "" && url.password === "";
  return isPlain && !isPrivateAsWritten(url.hostname) ? url : null;
}

async function elicitForm(asks: string, { message, requestedSchema }: ElicitRequestFormParams, ask: Ask): Promise<ElicitResult> {
  const lead = `${asks} asks: ${cleanText(message, maxMessageCharacters)}`;
  const fields = isJsonObject(requestedSchema) ? formFields(requestedSchema) : null;
  if (fields === null || fields.length > maxFields) giveUp("Its form cannot be asked field by field.");
  if (fields.length === 0) {
    const answer = await ask({ text: lead, options: [accept, decline] });
    return answer === accept ? { action: "accept", content: {} } : declined;
  }
  const content: Content = {};
  for (const field of fields) {
    const value = await askField(field, lead, ask);
    if (value === null) giveUp(`The answers to ${field.name} did not fit the form.`);
    if (value !== skip) content[field.name] = value.value;
    else if (hasUsableDefault(field)) content[field.name] = field.schema.default as Content[string];
  }
  return { action: "accept", content };
}

/** A skipped field takes the default that the question names, as the protocol says. */
function hasUsableDefault({ name, schema }: FormField): boolean {
  if (schema.default === undefined) return false;
  return formMismatch({ type: "object", properties: { [name]: schema } }, { [name]: schema.default }) === null;
}

async function askField(field: FormField, lead: string, ask: Ask): Promise<{ value: Content[string] } | typeof skip | null> {
  let problem = "";
  for (let tries = 0; tries < maxTries; tries += 1) {
    const text = [lead, field.label, problem].filter(Boolean).join("\n\n");
    const answer = await ask({ text, options: [...field.options, ...(field.isRequired ? [] : [skip])] });
    if (answer === skip && !field.isRequired) return skip;
    const value = parseFieldAnswer(field, answer);
    const schema: JsonObject = { type: "object", properties: { [field.name]: field.schema } };
    const mismatch = value === undefined ? field.hint : formMismatch(schema, { [field.name]: value });
    if (mismatch === null && value !== undefined) return { value };
    problem = `The last answer does not fit: ${mismatch}`;
  }
  return null;
}
