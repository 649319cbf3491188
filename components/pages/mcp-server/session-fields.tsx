import { Switch } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { ChoiceField } from "@/components/kit/ui/forms/choice-field";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { chosenScope, runsInParallel, type ServerFields } from "@/components/nouns/mcp-servers/server-draft";
import type { SessionScope } from "@/contracts/mcp/session-scope";

const scopes: { value: SessionScope; label: string }[] = [
  { value: "shared", label: "Shared" },
  { value: "per_conversation", label: "Per conversation" },
  { value: "per_user", label: "Per user" },
];

const explanations: Record<SessionScope, string> = {
  shared: "All conversations use one session. For servers that keep no state between calls.",
  per_conversation: "Each conversation has a session of its own, so none sees the page or the variables of another.",
  per_user: "The conversations of one user or API key share a session.",
};

/** Fields for the scope of the server's sessions and for their idle time. */
export function SessionFields({ form }: { form: UseFormReturnType<ServerFields> }) {
  const scope = chosenScope(form.values);
  const isSuggested = form.values.sessionScope === "suggested" && scope !== "shared";
  return (
    <>
      <ChoiceField
        label="Session"
        hint={isSuggested ? `${explanations[scope]} Suggested, because this server seems to keep state.` : explanations[scope]}
        fullWidth
        data={scopes}
        value={scope}
        onChange={(chosen) => form.setFieldValue("sessionScope", chosen)}
      />
      {form.values.transport === "stdio" ? null : (
        <Switch
          label="Each person signs in"
          description="A call carries the sign-in of the person who asks, with that person's rights at the server. Calls without a person carry the workspace's"
          {...form.getInputProps("personalSignIn", { type: "checkbox" })}
        />
      )}
      <Switch
        label="Calls side by side"
        description="Off: the calls of one conversation run one after another, for servers whose calls depend on each other"
        checked={runsInParallel(form.values)}
        onChange={(event) => form.setFieldValue("parallelCalls", event.currentTarget.checked)}
      />
      {scope === "shared" ? null : (
        <IntegerInput
          label="Idle time (s)"
          description="A session without calls for this long is closed, and its state is gone"
          range={[10, 86_400]}
          {...form.getInputProps("sessionIdleSeconds")}
        />
      )}
    </>
  );
}
