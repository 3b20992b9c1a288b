// headroom.exe: starts the command line on the runtime beside it and passes the command line on as it was typed. No
// batch file could: cmd would read <, & and % of a filter a second time.
#include <windows.h>

#define LONGEST 32768
#define UNUSABLE 3

static WCHAR self[LONGEST], folder[LONGEST], runtime[LONGEST], program[LONGEST], line[LONGEST];

static void say(const WCHAR *text) {
  HANDLE to = GetStdHandle(STD_ERROR_HANDLE);
  DWORD written, mode;
  if (GetConsoleMode(to, &mode)) {
    WriteConsoleW(to, text, lstrlenW(text), &written, NULL);
    return;
  }
  static char bytes[LONGEST * 3];
  int length = WideCharToMultiByte(CP_UTF8, 0, text, lstrlenW(text), bytes, sizeof bytes, NULL, NULL);
  WriteFile(to, bytes, length, &written, NULL);
}

static void stop(const WCHAR *file, const WCHAR *what) {
  say(L"headroom: ");
  say(file);
  say(what);
  say(L" Install Headroom again, from the package for this computer.\r\n");
  ExitProcess(UNUSABLE);
}

// Appends; a path that is too long ends the program.
static void add(WCHAR *to, const WCHAR *text) {
  if (lstrlenW(to) + lstrlenW(text) >= LONGEST) stop(self, L" is started with too long a command line.");
  lstrcatW(to, text);
}

static BOOL hasContent(const WCHAR *path) {
  WIN32_FILE_ATTRIBUTE_DATA data;
  return GetFileAttributesExW(path, GetFileExInfoStandard, &data) &&
         !(data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && (data.nFileSizeLow || data.nFileSizeHigh);
}

static void cutLastName(WCHAR *path) {
  int at = lstrlenW(path);
  while (at > 0 && path[at] != L'\\') at--;
  path[at] = 0;
}

// What follows the program's own name, which ends as Windows reads it: at the next quote, or at a space.
static const WCHAR *argumentsOf(const WCHAR *typed) {
  if (*typed == L'"') {
    do typed++;
    while (*typed && *typed != L'"');
    if (*typed) typed++;
  } else
    while (*typed && *typed != L' ' && *typed != L'\t') typed++;
  return typed;
}

// Every process of the console hears Ctrl+C: the command decides what it means.
static BOOL WINAPI leaveItToTheCommand(DWORD event) {
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

void start(void) {
  DWORD length = GetModuleFileNameW(NULL, self, LONGEST);
  if (length == 0 || length == LONGEST) ExitProcess(UNUSABLE);
  lstrcpyW(folder, self);
  cutLastName(folder);
  cutLastName(folder);
  lstrcpyW(runtime, folder);
  add(runtime, L"\\runtime\\node.exe");
  lstrcpyW(program, folder);
  add(program, L"\\program\\out\\main\\cli.js");
  if (!hasContent(runtime)) stop(runtime, L" is missing or damaged.");
  if (!hasContent(program)) stop(program, L" is missing or damaged.");

  add(line, L"\"");
  add(line, runtime);
  add(line, L"\" --disable-warning=ExperimentalWarning \"");
  add(line, program);
  add(line, L"\"");
  add(line, argumentsOf(GetCommandLineW()));

  // The command ends with this process, however that ends.
  HANDLE job = CreateJobObjectW(NULL, NULL);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  SetConsoleCtrlHandler(leaveItToTheCommand, TRUE);

  STARTUPINFOW startup;
  GetStartupInfoW(&startup);
  PROCESS_INFORMATION command;
  if (!CreateProcessW(runtime, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &startup, &command))
    stop(runtime, L" cannot be executed: this package is incomplete, or for another system.");
  AssignProcessToJobObject(job, command.hProcess);
  ResumeThread(command.hThread);
  WaitForSingleObject(command.hProcess, INFINITE);
  DWORD code = UNUSABLE;
  GetExitCodeProcess(command.hProcess, &code);
  ExitProcess(code);
}
