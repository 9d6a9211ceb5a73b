import { runTool } from '../tools/run-tool';

/** How each tool is asked for its version, and where it says it. */
const tools: readonly { file: string; args: string[]; pattern: RegExp }[] = [
  { file: 'ffmpeg', args: ['-version'], pattern: /^ffmpeg version (\S+)/ },
  { file: 'iperf3', args: ['--version'], pattern: /^iperf (\S+)/ },
  { file: 'fio', args: ['--version'], pattern: /^fio-(\S+)/ },
  { file: 'ping', args: ['-V'], pattern: /iputils (\S+)/ },
  { file: 'ethtool', args: ['--version'], pattern: /^ethtool version (\S+)/ },
];

let asked: Promise<Record<string, string | null>> | null = null;

/** Versions of the tools and of the runtime; tools are asked once in the life of this process. */
export async function readVersions(): Promise<Record<string, string | null>> {
  asked ??= askAll();
  const { node, electron, chrome } = process.versions as Record<string, string | undefined>;
  const runtime = { node: node ?? null, ...(electron && { electron, chrome: chrome ?? null }) };
  return { ...runtime, ...(await asked) };
}

async function askAll(): Promise<Record<string, string | null>> {
  const versions = await Promise.all(tools.map(async (tool) => [tool.file, await versionOf(tool)] as const));
  return Object.fromEntries(versions);
}

/** Null for a tool that is not there, or whose answer we do not understand. */
async function versionOf({ file, args, pattern }: (typeof tools)[number]): Promise<string | null> {
  try {
    const { stdout, stderr } = await runTool({ file, args, timeoutSeconds: 2 });
    return pattern.exec(`${stdout}${stderr}`.trim())?.[1]?.replace(/,$/, '') ?? null;
  } catch {
    return null;
  }
}
