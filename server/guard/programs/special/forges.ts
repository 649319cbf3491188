import { connectsTo, destroysElsewhere, type EffectSink, givenOption, runsAnother, sendsTo } from "../program";

const destroys = destroysElsewhere("deletes repositories, releases or other data at the forge");

/**
 * Adds the effects of a forge's client: `gh api path` reads unless it has a method or fields; the verb decides for
 * other commands.
 */
export function asksForge(host: string): (act: EffectSink) => void {
  return ({ parsed, does, role, command: { words } }) => {
    const [noun, verb] = parsed.operands;
    const [name] = words;
    if (!noun || !name || /^(?:version|help|completion)$/.test(noun.value)) return;
    const method = givenOption(parsed, "-X --method")?.value?.value;
    const hasFields = givenOption(parsed, "-f -F --field --raw-field --input") !== undefined;
    const looks =
      noun.value === "api"
        ? method === undefined
          ? !hasFields
          : /^(?:GET|HEAD)$/i.test(method)
        : /^(?:list|ls|view|status|diff|checks|watch|clone|download|checkout|search)$/.test(verb?.value ?? noun.value);
    does(connectsTo(host), noun);
    if (/^(?:alias|extension|ext|codespace|cs)$/.test(noun.value)) does(runsAnother, noun);
    else if (/^(?:clone|download|checkout)$/.test(verb?.value ?? ""))
      role("writes", parsed.operands[3] ?? { ...name, value: ".", certainty: "literal" });
    else if (!looks || noun.certainty !== "literal") does(sendsTo(host), noun);
    if (noun.value === "api" ? /^DELETE$/i.test(method ?? "") : /^delete(?:-|$)/.test(verb?.value ?? "")) does(destroys, verb ?? noun);
  };
}
