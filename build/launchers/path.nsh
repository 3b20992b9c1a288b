; Included by electron-builder's installer: puts the folder of the command line on the user's PATH, and takes it out again.
!include LogicLib.nsh

; Sets $R0 to the PATH between semicolons, $R1 to the place of the folder in it or -1, $R2 to the folder between semicolons. $R0 is empty
; if the PATH is longer than this program can hold: it is left as it is.
!macro findOnPath
  StrCpy $R2 ";$INSTDIR\resources\cli\bin;"
  StrCpy $R0 ""
  StrCpy $R1 -1
  ; Its size in bytes. Text, with or without variables, which are not replaced.
  System::Call 'advapi32::RegGetValueW(p 0x80000001, w "Environment", w "Path", i 0x10000006, p 0, p 0, *i .R3) i .R4'
  ${If} $R4 == 2
    StrCpy $R0 ";"
  ${ElseIf} $R4 == 0
    IntOp $R3 $R3 / 2
    StrLen $R4 $R2
    IntOp $R3 $R3 + $R4
    ${If} $R3 < ${NSIS_MAX_STRLEN}
      ReadRegStr $R0 HKCU "Environment" "Path"
      StrCpy $R0 ";$R0;"
    ${EndIf}
  ${EndIf}
  StrLen $R3 $R2
  StrLen $R4 $R0
  IntOp $R4 $R4 - $R3
  ${For} $R5 0 $R4
    StrCpy $R6 $R0 $R3 $R5
    ${If} $R6 == $R2
      StrCpy $R1 $R5
      ${Break}
    ${EndIf}
  ${Next}
!macroend

; Writes $R0 without the semicolons around it, and tells running programs.
!macro writePath
  StrCpy $R0 $R0 -1
  StrCpy $R0 $R0 "" 1
  ${If} $R0 == ""
    DeleteRegValue HKCU "Environment" "Path"
  ${Else}
    WriteRegExpandStr HKCU "Environment" "Path" $R0
  ${EndIf}
  ; A second for each window, and none for one that hangs.
  System::Call 'user32::SendMessageTimeoutW(p 0xffff, i 0x1a, p 0, w "Environment", i 2, i 1000, p 0)'
!macroend

!macro customInstall
  !insertmacro findOnPath
  ${If} $R0 != ""
  ${AndIf} $R1 == -1
    StrCpy $R2 $R2 "" 1
    StrCpy $R0 "$R0$R2"
    !insertmacro writePath
  ${EndIf}
!macroend

; An update uninstalls the old version first.
!macro customUnInstall
  ${IfNot} ${isUpdated}
    !insertmacro findOnPath
    ${If} $R1 != -1
      StrCpy $R5 $R0 $R1
      IntOp $R1 $R1 + $R3
      IntOp $R1 $R1 - 1
      StrCpy $R0 $R0 "" $R1
      StrCpy $R0 "$R5$R0"
      !insertmacro writePath
    ${EndIf}
    ; Each start registers the program for links.
    ReadRegStr $R0 HKCU "Software\Classes\headroom\shell\open\command" ""
    StrLen $R1 '"$INSTDIR\'
    StrCpy $R0 $R0 $R1
    ${If} $R0 == '"$INSTDIR\'
      DeleteRegKey HKCU "Software\Classes\headroom"
    ${EndIf}
  ${EndIf}
!macroend
