// The command that the conformance suite runs as "the client": it hands the scenario to the test that holds the real client.
const [driver, serverUrl] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const answer = await fetch(driver, {
  method: "POST",
  body: JSON.stringify({ scenario, serverUrl, context: context ? JSON.parse(context) : {} }),
});
console.log(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
