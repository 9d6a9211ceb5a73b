@echo off
rem The command line inside the packaged console: its Electron as Node, its archive as the program.
setlocal
rem What a shell has for a Node of its own is not meant for this one, which may be too old to know it.
set NODE_OPTIONS=
set ELECTRON_RUN_AS_NODE=1
rem The engine's options are those of app/protocol/v8-options.json.
"%~dp0..\..\Whiteline.exe" --no-memory-reducer --min-semi-space-size=16 --single-threaded-gc "%~dp0..\app.asar\dist\app\cli.cjs" %*
