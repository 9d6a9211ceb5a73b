/** The console in a browser, served by `whiteline serve`. */
export const servedTexts = {
  refused: {
    title: 'This address does not open the console',
    text: 'Open the whole address that whiteline serve printed when it started. The part after # is its key, and each start has another one. If it is that address, too many pages are open: close one of them.',
    action: 'Try again',
  },
  lost: {
    title: 'This page has lost its server',
    text: 'The process that serves it has ended, or this address is from an earlier start. Start whiteline serve and open the address that it prints. Recorded are every row that was closed, and events and load up to one second before; a row that was open is lost.',
    action: 'Connect again',
  },
  looks: 'View only',
  looksHelp:
    'This page can only look. whiteline serve printed a second address that can operate the console.',
  ownWindow: 'Use Whiteline’s own window.',
  moviePath: 'Path of the movie on the machine that serves this page',
  paths: 'A browser cannot choose files on the machine that serves it. Type the path.',
  drop: 'A browser does not tell where a dropped file is. Choose Movie and type its path.',
  planToOpen: 'A browser cannot open plans.',
  pictures: 'A browser cannot attach pictures.',
  joinFile: (machine: string) =>
    `A browser cannot write join files. In a terminal on this console’s machine: whiteline fleet invite ${machine}`,
  folder: 'A browser cannot open folders.',
  fullScreen: 'A browser cannot open full-screen windows on other displays.',
  theme: 'In a browser, the browser’s own setting decides between dark and light.',
  settingsChange: 'Settings cannot be changed in a browser.',
  change: 'To change:',
  /** Where each setting is given to the process that serves the page. */
  settings: {
    title: 'Set on the machine that serves this console',
    text: 'This page shows what whiteline serve runs with, and cannot change it: end it with Ctrl-C and start it again with the flag or variable that is shown. Dark or light is the browser’s own setting.',
    ndiPath: { command: 'WHITELINE_NDI_PATH=/path/of/libndi.so.6 whiteline serve' },
    discoveryServers: {
      command: 'NDI_CONFIG_DIR=/folder whiteline serve',
      text: 'The folder has NDI’s own ndi-config.v1.json, with the servers under ndi.networks.discovery.',
    },
    searchHosts: { command: 'whiteline serve --from 192.0.2.7,192.0.2.8' },
    ndiGroups: { command: 'whiteline serve --groups stage,public' },
    networkInterface: { command: 'whiteline serve --interface eth0' },
    thresholds: { command: 'whiteline serve --thresholds flawless' },
    runsFolder: { command: 'whiteline serve --runs FOLDER' },
    reportProject: { command: 'whiteline serve --project "Hall 3"' },
    reportClient: { command: 'whiteline serve --client "Example Ltd"' },
    reportOperator: { command: 'whiteline serve --operator "A. Example"' },
    reportLogo: { command: 'whiteline serve --logo logo.png' },
    reportPaper: { command: 'whiteline serve --paper letter' },
    nmosNode: { command: 'whiteline serve --nmos-node' },
    nmosRegistry: { command: 'whiteline serve --nmos-node --nmos-registry http://192.0.2.9:8010' },
    nmosHost: { command: 'whiteline serve --nmos-node --nmos-listen 192.0.2.7' },
    nmosPort: { command: 'whiteline serve --nmos-node --nmos-port 8080' },
    nmosReceivers: { command: 'whiteline serve --nmos-node --nmos-receivers 8' },
  },
};
