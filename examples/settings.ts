/** Settings of every example: HANDRAIL_URL, HANDRAIL_API_KEY (a key with turns:write), and the question as an argument. */
const apiKey = process.env.HANDRAIL_API_KEY;
if (!apiKey) throw new Error("Set HANDRAIL_API_KEY to a key with the scope turns:write. Settings, API keys makes one.");

export const connection = { url: process.env.HANDRAIL_URL ?? "http://localhost:3000", apiKey };
export const question = process.argv[2] ?? "What time is it in Paris? Then write it to time.txt.";
