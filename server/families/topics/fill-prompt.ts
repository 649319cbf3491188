type Values = { content: string; topic: string; sender: string; message_id: string };

/**
 * Fills a watch's prompt in one pass, so that a message that holds `{sender}` stays as it is. `{channel}`, the word of earlier
 * prompts, is the topic's name as well.
 */
export function fillPrompt(prompt: string, values: Values): string {
  const known = { ...values, channel: values.topic };
  return prompt.replaceAll(/\{(content|topic|channel|sender|message_id)\}/g, (_, name: keyof typeof known) => known[name]);
}
