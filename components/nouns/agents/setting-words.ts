const words: Readonly<Record<string, string>> = {
  name: "Name",
  description: "Description",
  disclosureMode: "Disclosure",
  sharedFolder: "Shared folder",
  allowedEffects: "Allowed effects",
  instructions: "Instructions",
  models: "Models",
  modelSettings: "Settings of replies",
  runLimits: "Limits of runs",
  tools: "Ticked tools",
};

/** The label of an agent's setting; a setting without one keeps its name. */
export function settingWord(setting: string): string {
  return words[setting] ?? setting;
}
