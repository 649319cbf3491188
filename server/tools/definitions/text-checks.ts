import type { ToolFinding } from "@/contracts/tools/tool-findings";
import { orders } from "./checks-by-language";

type TextCheck = Pick<ToolFinding, "check" | "severity" | "message"> & {
  pattern: RegExp;
  /** The words may be quoted or talked about: a tool that detects them is no attack. */
  mayBeMentioned?: true;
};

const secretFile =
  "(?:~?\\/?\\.ssh\\b|\\bid_(?:rsa|ed25519|ecdsa|dsa)\\b|\\.aws\\/credentials|\\.netrc\\b|\\.kube\\/config|\\.docker\\/config|\\.git-credentials|\\.npmrc\\b|\\.pgpass\\b|\\.gnupg\\b|\\/etc\\/shadow\\b|\\bmcp\\.json\\b|\\bclaude_desktop_config\\b|\\bprivate[ _-]key(?:s)?\\b|\\bseed phrase\\b|\\bkeychain\\b)";

/** Signs of instructions to the model in the words of a tool. Gaps are bounded, so that hostile text stays cheap to read. */
export const textChecks: readonly TextCheck[] = [
  {
    check: "instructions",
    severity: "high",
    message: "It tells the model to drop its instructions.",
    pattern:
      /\b(?:ignore|disregard|forget|override|overrule|bypass|discard|do not follow|don't follow|stop following)\b.{0,40}\b(?:(?:your|these|those|previous|prior|above|earlier|preceding|system|safety)\b.{0,30}\b(?:instructions?|directives?|rules?|guidelines?|guardrails?|prompts?|constraints?|context|policies|policy|restrictions?|orders)\b|(?:all|any|every|the|other)\b.{0,20}\b(?:instructions?|directives?|guidelines?|guardrails?|prompts?)\b|(?:all|everything|anything)\b.{0,12}\b(?:previous|prior|above|earlier|before)\b)/iu,
    mayBeMentioned: true,
  },
  {
    check: "instructions",
    severity: "high",
    message: "It asks for the system prompt or the conversation.",
    pattern:
      /\b(?:reveal|print|show|output|repeat|return|send|leak|disclose|include|provide|dump)\b.{0,40}\b(?:(?:your|the|its|full|entire|hidden)\b.{0,20}\b(?:system prompt|system message|initial instructions|hidden instructions)|(?:full|entire|whole|complete) (?:conversation|chat)(?: history)?)\b/iu,
    mayBeMentioned: true,
  },
  {
    check: "instructions",
    severity: "high",
    message: "It wants something kept from the user.",
    pattern:
      /\b(?:(?:do not|don't|never|must not|without|avoid)\b.{0,20}\b(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|notify(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|show(?:ing)?|alert(?:ing)?|warn(?:ing)?)\b.{0,30}\b(?:users?|humans?|person|anyone|anybody|operator|this)\b|(?:without asking|(?:do not|don't|never) ask)\b.{0,40}\b(?:confirm\w*|permission|approval|consent)\b|(?:secretly|silently|covertly|stealthily|quietly)\b.{0,30}\b(?:send|read|forward|copy|include|upload|pass|call|collect|attach|add|bcc|run|execute))/iu,
    mayBeMentioned: true,
  },
  {
    check: "instructions",
    severity: "high",
    message: "It poses as a message of the system.",
    pattern:
      /<\s*\/?\s*(?:important|system|instructions?|admin|secret|critical|urgent|hidden|assistant|developer|override|sys)\s*>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?(?:INST|SYSTEM|SYS|ADMIN)\]|<<\s*\/?SYS\s*>>|(?:^|\n)\s*#{0,4}\s*(?:system|assistant|developer)\s*(?:prompt|message|note|override)?\s*:/iu,
  },
  {
    check: "instructions",
    severity: "high",
    message: "It gives the model a new role or new orders.",
    pattern:
      /\b(?:you are now|from now on,? you|act as (?:an? )?(?:unrestricted|jailbroken|root|admin)|new instructions? (?:is|are|follow|below)|follow these new|your (?:new|real|true) (?:task|goal|role|instructions?|purpose)|developer mode)\b/iu,
    mayBeMentioned: true,
  },
  {
    check: "instructions",
    severity: "medium",
    message: "It orders the model to do something around its calls.",
    pattern:
      /\b(?:before|after|prior to|whenever) (?:using|calling|running|invoking|every use of) (?:this|any|other|another|all|the other) (?:tools?|functions?)\b.{0,60}\b(?:read|send|execute|pass|include|forward|upload)\b/iu,
    mayBeMentioned: true,
  },
  {
    check: "secrets",
    severity: "high",
    message: "It names a file that holds secrets.",
    pattern: new RegExp(
      `\\b(?:read|reads|load|loads|open|opens|cat|include|includes|send|sends|upload|uploads|exfiltrat\\w*|post|posts|pass|attach|copy|copies|contents?|content of|forward|fetch|collect|add|append|provide)\\b.{0,60}${secretFile}`,
      "iu",
    ),
    mayBeMentioned: true,
  },
  {
    check: "exfiltration",
    severity: "high",
    message: "It takes data to another place.",
    pattern:
      /\bexfiltrat(?:e|es|ed|ing)\b|\b(?:send|upload|post|forward|transmit|copy|leak|submit|pipe) (?:(?:the|this|our|your|whole|entire|full|complete) )+(?:conversation|chat|transcript)\b.{0,40}\b(?:to|at|via)\b.{0,20}(?:https?:|\b(?:external|remote|another|this) (?:server|endpoint|host|url|address)\b)|\b(?:send|upload|post|forward|transmit|copy|bcc|leak|submit|pipe)\b.{0,60}(?:\b(?:contents?|inputs?|conversations?|history|files?|data|results?|everything|messages?|it)\b.{0,40}\b(?:to|at|via)\b.{0,20}\b(?:attacker|collector|third[- ]party|our (?:server|endpoint|external|collector|analytics))\b|\b(?:secrets?|credentials?|tokens?|passwords?|api keys?|environment variables|chat history|\.env)\b.{0,40}\b(?:to|at|via)\b.{0,20}(?:https?:|\b(?:external|remote|another|this) (?:server|endpoint|host|url|address)\b)|\b(?:webhook\.site|ngrok|requestbin)\b)/iu,
    mayBeMentioned: true,
  },
  {
    check: "exfiltration",
    severity: "high",
    message: "It asks for more than its call needs: the conversation, earlier messages or credentials.",
    pattern:
      /\b(?:include|provide|pass|add|put|attach|share|supply|copy|paste|append|record|write|insert|summari[sz]e|fill)\b.{0,60}\b(?:(?:the |this |our |your |user'?s? |all |any |full |entire |whole |complete |previous |prior |earlier |recent |last )+(?:conversation|chat|dialogue|transcript|(?:chat|user|conversation|previous|earlier|prior|recent)? ?messages)(?: (?:so far|history|context|log))?|(?:api keys?|access tokens?|passwords?|credentials|secrets|environment variables|system prompt)\b.{0,30}\b(?:you (?:have|know|can see)|available to you|from (?:the|your) (?:context|environment|conversation|memory)|seen (?:so far|earlier)))\b.{0,60}\b(?:in|as|to|into|under|via|through)\b.{0,30}\b(?:param(?:eter)?|field|argument|property|input|key|notes?|context|metadata|debug|telemetry|feedback|trace)s?\b/iu,
    mayBeMentioned: true,
  },
  { check: "instructions", severity: "high", message: "It tells the model to drop its instructions.", pattern: orders.drop },
  { check: "instructions", severity: "high", message: "It wants something kept from the user.", pattern: orders.secrecy },
  { check: "instructions", severity: "medium", message: "It speaks of the system prompt.", pattern: orders.prompt },
  { check: "exfiltration", severity: "high", message: "It takes secrets or the conversation to another place.", pattern: orders.send },
];

/** A decoded payload that a shell or an interpreter would run. */
export const runnable =
  /\b(?:curl|wget|nc|ncat|bash|zsh|powershell|chmod|chown|eval|exec|rm\s+-|mkfifo|python[23]?\s+-c|perl\s+-e|ruby\s+-e|node\s+-e|base64\s+-d|sudo|crontab|ssh|scp|os\.system|subprocess|child_process)\b|\|\s*(?:ba|z|da)?sh\b|\/bin\/(?:ba|z|da)?sh\b|\/dev\/tcp\//iu;
