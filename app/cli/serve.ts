import { join, resolve } from 'node:path';
import { machineClock } from '../engine/clock';
import { ConsoleServer } from '../engine/console-server';
import { Engine } from '../engine/engine';
import { packagedResources } from '../engine/packaged';
import { profileOf } from '../engine/runs/prepared-run';
import { ArchiveChild } from '../engine/served/archive-child';
import { ExportFolder } from '../engine/served/export-folder';
import { type ServedConsole, serveConsole } from '../engine/served/served-console';
import { appVersion } from '../engine/sessions/environment';
import { exitCodes } from '../protocol/errors';
import { FileGrants } from '../protocol/file-grants';
import { readNotices } from '../protocol/notices';
import { ownFleet } from './fleet-console';
import { appFolder, bundle, ndiPath, nodeApplication } from './folders';
import { foundHosts } from './hosts';
import { aborted, abortOnInterrupt } from './interrupt';
import { type MetricsFlag, OwnMetrics } from './metrics-flag';
import { applyNdiFlags, type NdiFlags } from './ndi-flags';
import { checkHeader, type ReportFlags, wholeHeader } from './report-flags';
import { type ListenFlags, type ServedElsewhere, servedElsewhere } from './serve-listen';
import { type NmosNodeFlags, nmosNodeOfFlags, nmosNodeText } from './serve-nmos';
import { servedSettings } from './served-settings';
import { setThresholds, settingsProblem } from './settings';
import { print, printError, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface ServeFlags extends NmosNodeFlags, MetricsFlag, ListenFlags, NdiFlags, ReportFlags {
  port: string;
  runs: string;
  from?: readonly string[];
  thresholds?: string;
  json?: boolean;
}

/** The console in a browser of this machine, or of others, until Ctrl-C. */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  const thresholds = flags.thresholds ?? setThresholds();
  profileOf(thresholds);
  const port = wholeNumber(flags.port, 'port', 65_535);
  const nmosNode = nmosNodeOfFlags(flags);
  checkHeader(flags, false);
  applyNdiFlags(flags);
  const elsewhere = servedElsewhere(flags);
  const grants = new FileGrants();
  const version = appVersion(appFolder);
  const fleet = ownFleet();
  const application = nodeApplication(grants, fleet, () => wholeHeader(flags));
  const runsFolder = resolve(flags.runs);
  const searchHosts = await foundHosts(flags.from);
  const engine = new Engine({
    ...{ application, appFolder, runsFolder, clock: machineClock },
    ndiPath: ndiPath(),
    version,
    searchHosts,
    thresholds,
    captureLogFolder: process.env.WHITELINE_CAPTURE_LOGS || undefined,
    nmosNode: () => nmosNode,
    onNmosNode: (view) => {
      const text = nmosNodeText(view);
      if (flags.json) printJson({ nmosNode: view });
      else if (text !== null) print(text);
    },
  });
  const exports = new ExportFolder(join(runsFolder, '..', 'exports'));
  const archiveFile = bundle('archive.cjs');
  const archive = new ArchiveChild({
    ...{ archiveFile, appFolder, runsFolder, exports },
    grants,
    application,
  });
  const { signal } = abortOnInterrupt();
  const consoleServer = new ConsoleServer(engine, machineClock);
  let metrics: OwnMetrics | null = null;
  try {
    metrics = await OwnMetrics.open(flags.metrics, flags.json ? printError : print);
    metrics.show({ measured: () => engine.measured, heard: () => fleet.heard });
    const served = await serveConsole({
      ...{ application, grants, archive, exports, clock: machineClock },
      newestRun: () => engine.newestRun,
      console: consoleServer,
      pageFolder: join(appFolder, 'dist', 'renderer'),
      about: () => ({
        versions: { whiteline: version, node: process.versions.node },
        notices: readNotices(packagedResources(appFolder) ?? appFolder),
        served: servedSettings({ runsFolder, searchHosts, thresholds, nmosNode, header: wholeHeader(flags) }),
      }),
      ...{ port, listening: elsewhere?.listening },
    });
    void engine.start();
    const spoilt = settingsProblem(appFolder);
    if (spoilt) engine.raise('settings', spoilt);
    const { address, lookAddress } = served;
    if (flags.json)
      printJson({
        address,
        ...(elsewhere && { lookAddress, fingerprint: elsewhere.fingerprint }),
        ...(elsewhere && elsewhere.wildcards.length > 0 && { wildcards: elsewhere.wildcards }),
      });
    else print(...sentences(served, elsewhere), 'Ctrl-C ends it.');
    await aborted(signal);
    await served.close();
  } finally {
    await metrics?.close();
    consoleServer.close();
    archive.close();
    exports.close();
    await engine.close();
    await fleet.close();
  }
  return exitCodes.pass;
}

function sentences({ address, lookAddress }: ServedConsole, elsewhere: ServedElsewhere | null): string[] {
  if (elsewhere)
    return [
      `To operate the console: ${address}`,
      `Only to look: ${lookAddress}`,
      ...(elsewhere.wildcards.length === 0
        ? []
        : [
            `The certificate has only wildcard names: in the address, replace ${elsewhere.wildcards.join(' or ')} with a name of this machine that it covers.`,
          ]),
      'Anyone who has one of these addresses may do so, from any machine that reaches this one.',
      `Fingerprint of the certificate (SHA-256): ${elsewhere.fingerprint}`,
      ...(elsewhere.authorityFile === null
        ? []
        : [
            `A browser asks before it trusts this certificate: compare the fingerprint, or make the browser trust the certificate in ${elsewhere.authorityFile}`,
          ]),
    ];
  return [
    `The console is at ${address}`,
    'Open it in a browser on this machine: other machines get no answer. Anyone who has this address can operate the console.',
  ];
}
