import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

/** The engine watches itself by it, and looks for it beside its program. */
const watchBundle = 'standstill.cjs';

/** Makes one file, `NAME.cjs` in `outFolder`, of the program FOLDER/NAME.ts and all that it imports; its path. The app has to be built. */
export async function bundleProgram(name, outFolder, folder = 'scripts/bench') {
  // Imported here: soak loads this file before set-up has brought the npm packages.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: rootFolder,
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: outFolder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: { [name]: path.join(rootFolder, folder, `${name}.ts`) },
        // Native parts of packages are loaded from where they are: NODE_PATH names the folder.
        external: ['electron', /\.node$/],
        // hdr-histogram-js hides its require of zlib from bundlers in an eval, which works as it is.
        checks: { eval: false },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  });
  copyFileSync(path.join(rootFolder, 'dist/app', watchBundle), path.join(outFolder, watchBundle));
  return path.join(outFolder, `${name}.cjs`);
}
