import path from "node:path";
import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants";
import { apiContentSecurityPolicy, securityHeaders } from "./server/http/security-headers";

const config = (phase: string): NextConfig => ({
  // A stray lock file above the checkout would make Turbopack pick the wrong root.
  turbopack: { root: path.resolve(import.meta.dirname) },
  serverExternalPackages: [
    "postgres",
    "drizzle-orm",
    "pg-boss",
    "mysql2",
    "@node-rs/argon2",
    "pino",
    "re2js",
    "unbash",
    "esbuild",
    "undici",
    "ajv",
    "gpt-tokenizer",
    "@modelcontextprotocol/client",
    "@ai-sdk/provider",
    "@ai-sdk/openai-compatible",
    "@ai-sdk/anthropic",
    "@ai-sdk/google",
    "@vscode/ripgrep",
    "playwright-core",
    "@lydell/node-pty",
  ],
  // `npm run check` looks at types, for the whole repository and in a second.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // Under `npm start` the front door sets the same ones; these are for `next start` alone.
  headers: async () => [
    { source: "/:path*", headers: Object.entries(securityHeaders).map(([key, value]) => ({ key, value })) },
    { source: "/api/:path*", headers: [{ key: "content-security-policy", value: apiContentSecurityPolicy }] },
  ],
  devIndicators: false,
  experimental: {
    // Half a gigabyte, which takes a fifth of a first build to write, and which only a checkout that is built again needs.
    turbopackFileSystemCacheForBuild: process.env.HANDRAIL_BUILDS_AGAIN === "1",
    // Maps of the server's pages took a third of a build. Their stacks name functions instead, which minified code has lost.
    turbopackSourceMaps: phase === PHASE_DEVELOPMENT_SERVER,
    serverMinification: false,
  },
});

export default config;
