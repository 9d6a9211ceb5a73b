import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A file of this folder with all that it imports, as a script that puts its exports into a variable of the file's name. */
export async function bundledForPage(name: string): Promise<string> {
  const bundles = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'chrome108',
      lib: {
        entry: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
        name,
        formats: ['iife'],
      },
    },
  });
  const [bundle] = Array.isArray(bundles) ? bundles : [];
  const [file] = bundle?.output ?? [];
  if (!file) throw new Error(`${name}.ts was not bundled`);
  return file.code;
}
