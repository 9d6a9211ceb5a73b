import { rmSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { writeLicences } from './package/licences.mjs';
import { appSourcesHash, noteAppSources } from './setup/app-sources.mjs';
import { ensureNdiHeaders } from './setup/ndi.mjs';
import { rootFolder } from './setup/platform.mjs';

const appEntries = {
  main: 'app/main/main.ts',
  preload: 'app/preload/preload.ts',
  engine: 'app/console/engine-process.ts',
  archive: 'app/archive/archive-process.ts',
  derive: 'app/engine/sessions/derive-thread.ts',
  standstill: 'app/standstill/standstill-thread.ts',
  streamhost: 'app/streamhost/streamhost.ts',
  cli: 'app/cli/entry.ts',
  experiment: 'app/cli/experiment-process.ts',
  commands: 'app/cli/cli.ts',
  nmos: 'app/cli/nmos.ts',
  fleet: 'app/cli/fleet.ts',
  'nmos-programs': 'app/nmos/programs/programs.ts',
};

// What a test suite imports (docs/testkit.md). Vitest is a module alone; the others are taken by either kind of import.
const testkitEntries = { kit: 'cjs', playwright: 'cjs', vitest: 'es' };

// The oldest Electron the app runs in is 22: Node 16 in its processes, Chrome 108 in its window.
const nodeTarget = 'node16';
const windowTarget = 'chrome108';
const testkitNodeTarget = 'node20';

const common = { configFile: false, logLevel: 'warn' };
const distFolder = path.join(rootFolder, 'dist');

/** Each process, and each thread with a file of its own, is one CommonJS file with everything in it: nothing of node_modules is needed beside it. */
function appBundle(name, entry) {
  return {
    ...common,
    root: rootFolder,
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: nodeTarget,
      outDir: path.join(distFolder, 'app'),
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { [name]: path.join(rootFolder, entry) },
        external: ['electron', /\.node$/],
        // hdr-histogram-js hides its require of zlib from bundlers in an eval, which works as it is.
        checks: { eval: false },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  };
}

/** Kit of tests: the test runners are those of its user, and share one kit. */
function testkitBundle(name, format) {
  const { ssr, build, ...bundle } = appBundle(name, `app/testkit/${name}.ts`);
  const kit = path.join(rootFolder, 'app/testkit/kit');
  const isKit = (id, importer) =>
    importer !== undefined && id.startsWith('.') && path.resolve(path.dirname(importer), id) === kit;
  return {
    ...bundle,
    ssr: { ...ssr, noExternal: name === 'kit' ? true : undefined },
    plugins: [
      {
        name: 'one-kit',
        enforce: 'pre',
        resolveId: (id, importer) => (isKit(id, importer) ? { id: './kit.cjs', external: true } : null),
      },
    ],
    build: {
      ...build,
      target: testkitNodeTarget,
      outDir: path.join(distFolder, 'testkit'),
      rolldownOptions: {
        ...build.rolldownOptions,
        external: [/\.node$/, 'vitest', '@playwright/test'],
        output: {
          format,
          entryFileNames: format === 'es' ? '[name].mjs' : '[name].cjs',
          codeSplitting: false,
        },
      },
    },
  };
}

function windowBundle(sourceFolder, outputFolder, plugins) {
  return {
    ...common,
    root: path.join(rootFolder, sourceFolder),
    base: './',
    plugins: [react(), ...plugins],
    css: { transformer: 'lightningcss' },
    build: {
      target: windowTarget,
      cssTarget: windowTarget,
      cssMinify: 'lightningcss',
      outDir: path.join(distFolder, outputFolder),
      emptyOutDir: true,
    },
  };
}

async function buildAll() {
  const sources = appSourcesHash();
  rmSync(path.join(distFolder, 'app'), { recursive: true, force: true });
  for (const [name, entry] of Object.entries(appEntries)) {
    process.stdout.write(`bundling ${entry}\n`);
    await build(appBundle(name, entry));
  }
  rmSync(path.join(distFolder, 'testkit'), { recursive: true, force: true });
  for (const [name, format] of Object.entries(testkitEntries)) {
    process.stdout.write(`bundling app/testkit/${name}.ts\n`);
    await build(testkitBundle(name, format));
  }
  process.stdout.write('bundling renderer\n');
  await build(windowBundle('renderer', 'renderer', []));
  process.stdout.write('bundling renderer/report into one file\n');
  await build(windowBundle('renderer/report', 'report', [viteSingleFile()]));
  process.stdout.write('collecting licences\n');
  writeLicences(path.join(distFolder, 'licences'), await ensureNdiHeaders());
  noteAppSources(sources);
}

await buildAll().catch((error) => {
  // The bundler's message names file and line; the stack is its own.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
