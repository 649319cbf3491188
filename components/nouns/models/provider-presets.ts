import type { ProviderKind } from "@/contracts/models/models";

export const kindWords: Record<ProviderKind, string> = {
  openai_compatible: "OpenAI-compatible",
  openai_responses: "OpenAI responses",
  anthropic: "Anthropic",
  google: "Google Gemini",
};

export type ProviderPreset = { id: string; label: string; kind: ProviderKind; baseUrl: string };

/** Providers whose address is known; any other one is entered by its base URL. */
export const providerPresets: readonly ProviderPreset[] = [
  { id: "openai", label: "OpenAI", kind: "openai_compatible", baseUrl: "https://api.openai.com/v1" },
  { id: "openai_responses", label: "OpenAI (responses)", kind: "openai_responses", baseUrl: "https://api.openai.com/v1" },
  { id: "anthropic", label: "Anthropic", kind: "anthropic", baseUrl: "https://api.anthropic.com/v1" },
  { id: "google", label: "Google Gemini", kind: "google", baseUrl: "https://generativelanguage.googleapis.com/v1beta" },
  { id: "openrouter", label: "OpenRouter", kind: "openai_compatible", baseUrl: "https://openrouter.ai/api/v1" },
  { id: "deepseek", label: "DeepSeek", kind: "openai_compatible", baseUrl: "https://api.deepseek.com/v1" },
  { id: "qwen", label: "Qwen", kind: "openai_compatible", baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" },
  { id: "ollama", label: "Ollama", kind: "openai_compatible", baseUrl: "http://127.0.0.1:11434/v1" },
  { id: "lm_studio", label: "LM Studio", kind: "openai_compatible", baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "llama_cpp", label: "llama.cpp", kind: "openai_compatible", baseUrl: "http://127.0.0.1:8080/v1" },
  { id: "vllm", label: "vLLM", kind: "openai_compatible", baseUrl: "http://127.0.0.1:8000/v1" },
];

export const findPreset = (id: string | null): ProviderPreset | null => providerPresets.find((preset) => preset.id === id) ?? null;
