type Values = { content: string; channel: string; sender: string; message_id: string };

/** Fills a watch's prompt in one pass, so that a message that holds `{sender}` stays as it is. */
export function fillPrompt(prompt: string, values: Values): string {
  return prompt.replaceAll(/\{(content|channel|sender|message_id)\}/g, (_, name: keyof Values) => values[name]);
}
