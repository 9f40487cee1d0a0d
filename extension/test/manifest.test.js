import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const root = new URL('..', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('chrome/manifest.json', root), 'utf8'));
const readme = readFileSync(new URL('README.md', root), 'utf8');

test('TAB-09: the permissions are those that the README justifies, and no others', () => {
  const justified = [...readme.matchAll(/^\| (debugger|[a-zA-Z.]+) \| .+ \|$/gm)].map((m) => m[1]).filter((p) => p !== 'permission' && p !== 'done');
  assert.deepEqual([...manifest.permissions].sort(), justified.sort());
  assert.deepEqual(manifest.permissions, ['debugger', 'tabs', 'tabGroups', 'alarms', 'storage']);
});

test('TAB-09: no host permission, no content script, no external entry point', () => {
  for (const name of ['host_permissions', 'optional_host_permissions', 'optional_permissions', 'content_scripts', 'externally_connectable', 'web_accessible_resources']) {
    assert.equal(manifest[name], undefined, name);
  }
});

test('the id follows from the key, and is the one that the README names', () => {
  const hash = createHash('sha256').update(Buffer.from(manifest.key, 'base64')).digest('hex').slice(0, 32);
  const id = [...hash].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('');
  assert.ok(readme.includes(`\`${id}\``), id);
});

test('LIFE-05: no offscreen document, no sound, no interval keeps the worker alive', () => {
  for (const folder of ['chrome', 'chrome/actions', 'src/link', 'src/queue', 'src/session', 'src/wire']) {
    for (const name of readdirSync(new URL(folder, root)).filter((n) => n.endsWith('.js'))) {
      const source = readFileSync(new URL(`${folder}/${name}`, root), 'utf8');
      assert.doesNotMatch(source, /offscreen|AudioContext|setInterval|onConnectExternal|onMessageExternal/, `${folder}/${name}`);
    }
  }
});
