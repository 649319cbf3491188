import { type OptionMeaning, type ProgramSpec, runsAnother } from "../program";

const cargoText: Record<string, OptionMeaning> = {
  "-C": "text",
  "--manifest-path --path": "configures",
  "--target-dir --out-dir --root -Z --artifact-dir": "writes",
  "--config": runsAnother,
  "--git --index": "url",
  "-p --package --bin --example --test --bench -F --features --target --profile -j --jobs --color --message-format --exclude --version --vers --registry --rev --branch --tag --rename --edition --name --vcs":
    "text",
};
export const cargo = (more: ProgramSpec): ProgramSpec => ({ valued: cargoText, folderOption: "-C", ...more });
const goText: Record<string, OptionMeaning> = {
  "-C": "text",
  "-o -coverprofile -cpuprofile -memprofile -trace -outputdir -blockprofile -mutexprofile": "writes",
  "-modfile -overlay": "configures",
  "-exec -toolexec -vettool": runsAnother,
  "-run -bench -count -timeout -tags -ldflags -gcflags -p -parallel -cpu -covermode -coverpkg -mod -buildmode -skip -benchtime -f -fuzz -fuzztime":
    "text",
};
export const go = (more: ProgramSpec): ProgramSpec => ({ valued: goText, wordOptions: true, folderOption: "-C", ...more });
