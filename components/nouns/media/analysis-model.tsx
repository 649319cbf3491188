import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { providerResource } from "@/components/nouns/models/queries";
import type { MediaSettings } from "@/contracts/models/media";
import classes from "./media.module.css";
import { useSaveMedia } from "./use-save-media";

const ofAgent = "agent";
const keyOf = ({ providerId, model }: { providerId: string; model: string }) => `${providerId} ${model}`;

/** The model of image_analyze: one of the registered ones, or those of the calling agent. */
export function AnalysisModel({ settings }: { settings: MediaSettings }) {
  const refusal = useRefusal("tools:write");
  const { data: providers } = useQuery(providerResource.list());
  const save = useSaveMedia(settings);
  const { analysisModel } = settings;
  const known = (providers?.items ?? []).flatMap(({ id, name, models }) =>
    models.map(({ name: model }) => ({ value: keyOf({ providerId: id, model }), label: spellHidden(`${model} (${name})`) })),
  );
  const chosen = analysisModel ? keyOf(analysisModel) : ofAgent;
  const isKnown = chosen === ofAgent || known.some(({ value }) => value === chosen);
  const data = [
    { value: ofAgent, label: "The models of the calling agent" },
    ...(isKnown || !analysisModel ? [] : [{ value: chosen, label: `${analysisModel.model} (removed)` }]),
    ...known,
  ];
  const choose = (value: string | null) => {
    if (value === null || value === chosen) return;
    const [providerId = "", ...model] = value.split(" ");
    save.mutate({ analysisModel: value === ofAgent ? null : { providerId, model: model.join(" ") } });
  };
  return (
    <div className={shared.story}>
      <DisabledReason reason={refusal}>
        <Select
          className={classes.model}
          label="Model"
          data={data}
          value={chosen}
          onChange={choose}
          allowDeselect={false}
          disabled={refusal !== null || save.isPending}
          {...(isKnown ? {} : { error: "This model is not registered any more. Choose another one." })}
        />
      </DisabledReason>
    </div>
  );
}
