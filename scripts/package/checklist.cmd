@echo off
rem What a volunteer starts, and one file to send back: docs/windows-checklist.md
setlocal
set result=%~1
if "%result%"=="" set result=%USERPROFILE%\Desktop\whiteline-checklist
set whiteline=call "%~dp0whiteline.cmd"
mkdir "%result%"
if errorlevel 1 exit /b 1
echo This takes about two minutes. Leave the machine alone meanwhile.
ver > "%result%\system.txt"
%whiteline% doctor > "%result%\doctor.txt" 2>&1
%whiteline% selftest --duration 10s --seed 1 --json > "%result%\selftest.json" 2> "%result%\selftest.txt"
%whiteline% run "%~dp0windows-checklist.yaml" --out "%result%\session" --report > "%result%\session.txt" 2>&1
tar -a -c -f "%result%.zip" -C "%result%" .
if errorlevel 1 exit /b 1
echo Send back %result%.zip
