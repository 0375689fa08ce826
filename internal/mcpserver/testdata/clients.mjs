// Drives the door with the TypeScript SDKs: v1 (2025-11-25) and v2 in each mode.
// Arguments: the folder that holds node_modules, the endpoint, the token.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, endpoint, token] = process.argv.slice(2);
const require = createRequire(folder + '/package.json');
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const init = { requestInit: { headers: { Authorization: 'Bearer ' + token } } };

async function drive(name, client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const ok = await client.callTool({ name: 'kit_echo', arguments: { text: '中文' } });
  // v1 checks an error's structuredContent against the output schema and throws when it does not fit.
  const refused = await client.callTool({ name: 'kit_refuse', arguments: {} });
  let unknown = 0;
  try { await client.callTool({ name: 'kit_gone', arguments: {} }); } catch (e) { unknown = e.code; }
  await client.close();
  console.log(JSON.stringify({ name, tools: tools.map((t) => t.name), protocol: ok.structuredContent.data.protocol,
    args: ok.structuredContent.data.args, refused: refused.isError && refused.structuredContent.error.code, unknown }));
}

const v1 = await load('@modelcontextprotocol/sdk/client/index.js');
const v1http = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
await drive('v1', new v1.Client({ name: 'ts-v1', version: '1' }), new v1http.StreamableHTTPClientTransport(new URL(endpoint), init));

const v2 = await load('@modelcontextprotocol/client');
for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
  const client = new v2.Client({ name: 'ts-v2', version: '1' }, { versionNegotiation: { mode } });
  await drive('v2 ' + JSON.stringify(mode), client, new v2.StreamableHTTPClientTransport(new URL(endpoint), init));
}
